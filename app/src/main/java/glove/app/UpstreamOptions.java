package glove.app;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One upstream as the command line says it. Confined to one thread. */
final class UpstreamOptions {
    final String name;

    /** The program first. */
    final List<byte[]> argv;

    /** Names of variables to pass. */
    final List<byte[]> copiedVariables = new ArrayList<>();

    /** {@code NAME=VALUE}. */
    final List<byte[]> setVariables = new ArrayList<>();

    Optional<UnixPath> workingDirectory = Optional.empty();

    /** Options of exec that contain it; empty when it is not contained. */
    Optional<List<byte[]>> sandbox = Optional.empty();

    boolean isBare;

    UpstreamOptions(String name, List<byte[]> argv) {
        this.name = name;
        this.argv = List.copyOf(argv);
    }

    /** Its command line in one line, for people. */
    String command() {
        StringBuilder out = new StringBuilder();
        for (byte[] word : argv) {
            out.append(out.isEmpty() ? "" : " ").append(UnixPath.of(word));
        }
        return out.toString();
    }

    /** What errors call it. */
    String subject() {
        return "upstream '" + name + "'";
    }
}
