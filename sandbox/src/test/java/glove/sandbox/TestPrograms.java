package glove.sandbox;

import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Small host programs, for tests. */
final class TestPrograms {
    private static final List<UnixPath> PATH =
            List.of(UnixPath.of("/usr/bin"), UnixPath.of("/bin"));

    private TestPrograms() {}

    /** A shell script that starts in /. */
    static HostProgram shell(Linux linux, String script) throws Refusal {
        return find(linux, "sh", "-c", script);
    }

    static HostProgram find(Linux linux, String... argv) throws Refusal {
        return new HostProgramLookup(linux, PATH)
                .find("upstream 'files'", words(argv), words("PATH=/usr/bin"), UnixPath.of("/"));
    }

    static List<byte[]> words(String... words) {
        List<byte[]> all = new ArrayList<>();
        for (String word : words) {
            all.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }
}
