package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@Tag("unit")
class NativeSyscallsTest {
    @TempDir
    Path directory;

    @Test
    void aMissingLibraryIsToldInASentence() {
        assertThatThrownBy(() -> NativeSyscalls.library(directory.toString()))
                .isInstanceOf(Bug.class)
                .hasMessage("there is no '" + directory
                        + "/libglove-sys.so': build it by native/build, "
                        + "or mend -Dglove.native");
        assertThatThrownBy(() -> NativeSyscalls.library(null))
                .isInstanceOf(Bug.class)
                .hasMessageContaining("-Dglove.native=DIRECTORY is missing");
    }

    @Test
    void theLibraryIsLookedForInTheDirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("libglove-sys.so"));

        assertThat(NativeSyscalls.library(directory.toString())).isEqualTo(file.toString());
    }
}
