package glove.session.stage;

import glove.wire.Digest;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Stages somebody fills so that looking at them costs as much as can be. Stateless. */
final class HostileStages {
    static final ChangesRequest ASKED = new ChangesRequest("s", "e", 0, 256);

    private static final int NAME_BYTES = 250;

    private HostileStages() {}

    /**
     * A stage with a manifest that is one, and nothing in it yet.
     *
     * @return where the files belong
     */
    static Path make(Path root, String manifest) throws IOException {
        Path stage = own(own(root).resolve("glove-retained-s1-s-a1-e"));
        Files.writeString(stage.resolve("manifest.json"), manifest);
        Files.setPosixFilePermissions(
                stage.resolve("manifest.json"), PosixFilePermissions.fromString("rw-------"));
        return own(stage.resolve("content"));
    }

    private static Path own(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        return directory;
    }

    /** Of no changes, for any tree. */
    static String manifest() {
        return manifest("", 0);
    }

    /** Almost as large as one may be: of directories that were made. */
    static String largeManifest() {
        StringBuilder changes = new StringBuilder();
        int count = 0;
        for (; count < 96_000; count++) {
            changes.append(count == 0 ? "" : ",")
                    .append("{\"kind\":\"create\",\"path\":\"")
                    .append(Integer.toString(1_000_000 + count))
                    .append("\",\"previous_path\":\"\",\"before_digest\":\"\",")
                    .append("\"after_digest\":\"\",\"before_bytes\":0,\"after_bytes\":0,")
                    .append("\"before_mode\":0,\"after_mode\":448,\"directory\":true}");
        }
        return manifest(changes.toString(), count);
    }

    private static String manifest(String changes, int count) {
        String body = "{\"schema_version\":1,\"session_id\":\"s\",\"exposure_id\":\"e\","
                + "\"generation\":1,\"scope_digest\":\"" + Digest.ZERO
                + "\",\"source_identity_digest\":\"" + Digest.ZERO
                + "\",\"max_bytes\":18446744073709551615,\"directory\":true,"
                + "\"baseline_tree_digest\":\"" + Digest.ZERO
                + "\",\"staged_tree_digest\":\"" + Digest.ZERO
                + "\",\"changes\":[" + changes + "],\"created\":" + count
                + ",\"modified\":0,\"renamed\":0,\"removed\":0,\"before_bytes\":0,"
                + "\"after_bytes\":0";
        Digest digest = Digest.sha256((body + "}").getBytes(StandardCharsets.UTF_8));
        return body + ",\"manifest_digest\":\"" + digest + "\"}";
    }

    /** Makes a file that takes no room and long to read. */
    static void sparse(Path file, long bytes) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(bytes);
        }
    }

    /** Makes empty files with long names. */
    static void names(Path directory, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String name = i + "-";
            Files.createFile(directory.resolve(name + "n".repeat(NAME_BYTES - name.length())));
        }
    }

    /** Makes directories in directories, with long names; the innermost a path may lead to. */
    static Path deep(Path directory, int depth) throws IOException {
        Path at = directory;
        for (int i = 0; i < depth; i++) {
            at = at.resolve("d".repeat(NAME_BYTES));
            Files.createDirectory(at);
        }
        return at;
    }
}
