package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.Syscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What nobody foresaw ends a run with a status and a sentence of its own. */
@Tag("process")
final class ExecFaultTest {
    private static String tell(String... words) throws Exception {
        Linux linux = Linux.host();
        Syscalls kernel = Syscalls.host();
        Linux poor = new Linux((call, a, b, c, d, e, f) -> {
            if (call != Call.CLOSE) {
                throw new OutOfMemoryError("on purpose");
            }
            return kernel.call(call, a, b, c, d, e, f);
        });
        List<byte[]> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(word.getBytes(StandardCharsets.US_ASCII));
        }
        Pipe pipe = linux.pipe();
        try {
            Notices notices = new Notices("exec", linux, pipe.write());
            int status = new ExecVerb(poor, new Invocation(arguments, List.of()), notices).run();
            assertThat(status).isEqualTo(ExecVerb.EXIT_CANNOT_LAUNCH);
            return new String(linux.read(pipe.read(), 65536), StandardCharsets.UTF_8);
        } finally {
            pipe.close();
        }
    }

    @Test
    void oneSentenceAndTheStatusOfGlove() throws Exception {
        assertThat(tell("--", "true"))
                .isEqualTo("glove exec: the run was ended by a fault of Glove's own:"
                        + " java.lang.OutOfMemoryError: on purpose; -v tells where\n");
    }

    @Test
    void whereItWasOnlyWhenAskedFor() throws Exception {
        assertThat(tell("-v", "--", "true"))
                .contains("cause: java.lang.OutOfMemoryError", "  at ", "ExecVerb.run");
    }
}
