package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Linux;
import glove.sys.Pipe;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/** What nobody foresaw ends a run with a status and a sentence of its own. */
@Tag("process")
final class ExecFaultTest {
    private static String tell(String... words) throws Exception {
        Linux linux = Linux.host();
        Pipe pipe = linux.pipe();
        LastResort last = new LastResort(words);
        try (Notices notices = last.notices(linux, pipe.write())) {
            assertThat(last.status()).isEqualTo(ExecVerb.EXIT_CANNOT_LAUNCH);
            last.tell(notices, new OutOfMemoryError("on purpose"));
            return new String(linux.read(pipe.read(), 65536), StandardCharsets.UTF_8);
        } finally {
            pipe.close();
        }
    }

    @Test
    void oneSentenceAndTheStatusOfGlove() throws Exception {
        assertThat(tell("exec", "--", "tool", "-v"))
                .isEqualTo("glove exec: ended by a fault of Glove's own:"
                        + " java.lang.OutOfMemoryError: on purpose; -v tells where\n");
    }

    @Test
    void aRunIsToldByItsOwnVerb() throws Exception {
        assertThat(tell("run", "--upstream", "a=b", "--", "tool"))
                .startsWith("glove run: ended by a fault of Glove's own: ")
                .hasLineCount(1);
    }

    @Test
    void whereItWasOnlyWhenAskedFor() throws Exception {
        assertThat(tell("exec", "-v", "--", "true"))
                .contains("cause: java.lang.OutOfMemoryError", "  at ", "ExecFaultTest.tell");
    }

    @Test
    void otherVerbsFailAsTheyDo() {
        assertThat(new LastResort(new String[] {"home"}).status()).isEqualTo(1);
    }
}
