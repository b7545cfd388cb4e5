package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.UnixPath;
import glove.testkit.Command;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** First lines of scripts are read as the kernel of this machine reads them. */
@Tag("process")
@Timeout(60)
final class ScriptLineTest {
    @TempDir
    private Path directory;

    static List<String> lines() {
        String name = "/bin/true";
        String spaces = " ".repeat(254 - name.length());
        return List.of(
                "#!/bin/true",
                "#!/bin/true\n",
                "#! \t /bin/true \t\n",
                "#!/bin/true an argument\n",
                "#!/bin/true\0rest\n",
                "#!\n/bin/true\n",
                "#!",
                "#! ",
                "#!   \n",
                "#!" + " ".repeat(300),
                "#!" + spaces + name, // 256 bytes: the last is not read
                "#!" + spaces.substring(1) + name, // 255: whole, and what follows is not there
                "#!" + spaces.substring(1) + name + "x",
                "#!" + spaces.substring(1) + name + " x",
                "#!" + spaces.substring(1) + name + "\n",
                "#!" + spaces + name + "\n",
                "#!/bin/true" + " ".repeat(300),
                "#!/bin/true " + "x".repeat(300));
    }

    private boolean starts(String text) throws IOException, InterruptedException {
        Path file = directory.resolve("script");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        // Not the JVM's way, nor a shell's: these run as a script what the kernel refuses.
        String exec = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])";
        return new Command(List.of("python3", "-c", exec, file.toString()))
                        .run()
                        .status()
                == 0;
    }

    @ParameterizedTest
    @MethodSource("lines")
    void theKernelStartsWhatIsReadAsAnInterpreter(String text) throws Exception {
        byte[] all = text.getBytes(StandardCharsets.US_ASCII);
        byte[] start = Arrays.copyOf(all, Math.min(all.length, ScriptLine.BYTES));

        boolean read = ScriptLine.of(start).reader().equals(Optional.of(UnixPath.of("/bin/true")));

        assertThat(read).isEqualTo(starts(text));
    }

    @Test
    void whatIsNoScriptIsNone() {
        for (String text : List.of("", "#", "\u007fELF", " #!/bin/true\n")) {
            assertThat(ScriptLine.of(text.getBytes(StandardCharsets.US_ASCII)))
                    .isEqualTo(ScriptLine.NONE);
        }
    }
}
