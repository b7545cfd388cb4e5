package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class ErrnoTest {
    @TempDir
    Path directory;

    @Test
    @Tag("unit")
    void anErrorIsASymbolAndWords() {
        assertThat(Errno.words(Errno.EACCES)).isEqualTo("EACCES (permission denied)");
        assertThat(Errno.words(9999)).isEqualTo("errno 9999");
        assertThat(Errno.words(0)).isEqualTo("errno 0");
    }

    @Test
    @Tag("unit")
    void theMessageSaysCallSubjectAndWhy() {
        assertThat(new ErrnoException(Call.OPENAT2, Errno.ENOENT, "/x"))
                .hasMessage("openat2 '/x': ENOENT (no such file or directory)");
        assertThat(new ErrnoException(Call.FSYNC, Errno.EIO, ""))
                .hasMessage("fsync: EIO (input/output error)");
    }

    @Test
    @Tag("process")
    void constantsAndSymbolsAreThoseOfTheHeaders() throws Exception {
        StringBuilder source = new StringBuilder("#include <errno.h>\n");
        int constants = 0;
        for (Field field : Errno.class.getFields()) {
            source.append("_Static_assert(" + field.getName() + " == " + field.getInt(null)
                    + ", \"\");\n");
            constants++;
        }
        for (int errno = 1; errno < 200; errno++) {
            String words = Errno.words(errno);
            if (words.startsWith("E")) {
                String symbol = words.substring(0, words.indexOf(' '));
                source.append("_Static_assert(" + symbol + " == " + errno + ", \"\");\n");
            }
        }
        Path file = Files.writeString(
                directory.resolve("errno.c"), source.append("int main(void) { return 0; }\n"));

        assertThat(constants).isGreaterThan(20);
        CCompiler.run(List.of(CCompiler.program(file, directory).toString()));
    }
}
