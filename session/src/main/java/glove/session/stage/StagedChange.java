package glove.session.stage;

import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;
import glove.wire.U64;

/**
 * One path that is not as it was (sheet 65, 2). Immutable.
 *
 * @param kind what became of it
 * @param path where it is; of what is gone, where it was
 * @param previousPath where a renamed file was; empty otherwise
 * @param before as it was; {@link Side#NOTHING} of what was not
 * @param after as it is; {@link Side#NOTHING} of what is not any more
 * @param directory whether it is one; of what is gone, was one
 */
public record StagedChange(
        ChangeKind kind,
        String path,
        String previousPath,
        Side before,
        Side after,
        boolean directory) {
    private static final int MODE_MAX = 0777;

    /**
     * A file or directory at one time. Immutable.
     *
     * @param digest SHA-256 of a file's content; empty for a directory
     * @param bytes of a file's content; u64
     * @param mode permissions; u32
     */
    public record Side(String digest, long bytes, long mode) {
        /** Of what is not there. */
        public static final Side NOTHING = new Side("", 0, 0);

        private boolean isDirectory() {
            return digest.isEmpty() && bytes == 0 && mode <= MODE_MAX;
        }

        private boolean isFile() {
            return Digest.is(digest) && mode != 0 && mode <= MODE_MAX;
        }

        private boolean isSomething(boolean asDirectory) {
            return asDirectory ? isDirectory() : isFile();
        }
    }

    static StagedChange read(JsonFields fields) {
        ChangeKind kind = fields.value("kind", ChangeKind.CLASS);
        String path = fields.string("path");
        String previous = fields.string("previous_path");
        String digestBefore = fields.string("before_digest");
        String digestAfter = fields.string("after_digest");
        long bytesBefore = fields.u64("before_bytes");
        long bytesAfter = fields.u64("after_bytes");
        Side before = new Side(digestBefore, bytesBefore, fields.u32("before_mode"));
        Side after = new Side(digestAfter, bytesAfter, fields.u32("after_mode"));
        StagedChange read =
                new StagedChange(kind, path, previous, before, after, fields.bool("directory"));
        fields.end();
        if (!read.isPlausible()) {
            fields.problem("kind", "does not fit the rest of the change", "");
        }
        return read;
    }

    /** Whether its parts are those of its kind. */
    private boolean isPlausible() {
        if (!StagePath.is(path)) {
            return false;
        }
        boolean moved = kind == ChangeKind.RENAME;
        if (moved != !previousPath.isEmpty() || (moved && !StagePath.is(previousPath))) {
            return false;
        }
        return switch (kind) {
            case CREATE -> before.equals(Side.NOTHING) && after.isSomething(directory);
            case REMOVE -> after.equals(Side.NOTHING) && before.isSomething(directory);
            case MODIFY ->
                after.isSomething(directory)
                        && (before.isFile() || before.isDirectory())
                        && !before.equals(after);
            case RENAME ->
                !directory
                        && before.isFile()
                        && after.isFile()
                        && before.digest.equals(after.digest)
                        && U64.compare(before.bytes, after.bytes) == 0
                        && !path.equals(previousPath);
        };
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("kind", kind.word())
                .member("path", path)
                .member("previous_path", previousPath)
                .member("before_digest", before.digest)
                .member("after_digest", after.digest)
                .unsigned("before_bytes", before.bytes)
                .unsigned("after_bytes", after.bytes)
                .unsigned("before_mode", before.mode)
                .unsigned("after_mode", after.mode)
                .member("directory", directory)
                .endObject();
    }
}
