package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonFields;

/**
 * Which file a secret handle stands for, and where a runtime reads it (sheet 10, 2.8). The file is
 * looked at when a session starts. Immutable.
 *
 * @param targetPath below {@value #HOME}
 */
public record SecretMount(
        Id128 handle, Id128 runtimeId, AbsolutePath sourcePath, AbsolutePath targetPath) {
    /** The private home of a session. */
    static final String HOME = "/home/agent";

    private static final int HANDLE_BYTES_MAX = 120;

    static SecretMount read(JsonFields fields) {
        SecretMount read = new SecretMount(
                fields.value("handle", Id128.CLASS),
                fields.value("runtime_id", Id128.CLASS),
                fields.value("source_path", AbsolutePath.CLASS),
                fields.value("target_path", AbsolutePath.CLASS));
        fields.end();
        if (read.handle.text().length() > HANDLE_BYTES_MAX) {
            fields.problem("handle", "is too long", "write at most " + HANDLE_BYTES_MAX + " bytes");
        }
        if (!read.targetPath.text().startsWith(HOME + "/")) {
            fields.problem("target_path", "is not in the session's home", "write " + HOME + "/...");
        }
        return read;
    }
}
