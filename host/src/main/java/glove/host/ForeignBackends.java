package glove.host;

import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.JsonFields;

import java.util.Optional;

/**
 * The parts of a configuration that name where sessions run other than on this Linux machine
 * (sheet 81, 3.4 and 3.5). This build runs none there: they are read by all of their rules, so that
 * a mistake in them is told as one, and refused. Stateless.
 */
final class ForeignBackends {
    private static final String APPLE = "apple_container";
    private static final String REMOTE = "remote_backend";
    private static final String ABSENT = "is not in this build";
    private static final String LEAVE_OUT = "leave it out";
    private static final int IMAGE_BYTES_MAX = 256;
    private static final int HOST_BYTES_MAX = 253;
    private static final int USER_BYTES_MAX = 32;

    private ForeignBackends() {}

    static void refuse(JsonFields config) {
        Optional<JsonFields> apple = config.optionalObject(APPLE);
        if (apple.isPresent()) {
            config.problem(APPLE, ABSENT, LEAVE_OUT);
            readApple(apple.get());
            needs(config, APPLE, "session_store");
            needs(config, APPLE, "materialization_root");
        }
        Optional<JsonFields> remote = config.optionalObject(REMOTE);
        if (remote.isPresent()) {
            config.problem(REMOTE, ABSENT, LEAVE_OUT);
            readRemote(remote.get());
            needs(config, REMOTE, "session_policy");
            needs(config, REMOTE, "session_store");
            excludes(config, "materialization_root");
            excludes(config, APPLE);
        }
    }

    private static void needs(JsonFields config, String part, String other) {
        if (!config.has(other)) {
            config.problem(part, "needs " + other, "configure that, too");
        }
    }

    private static void excludes(JsonFields config, String other) {
        if (config.has(other)) {
            config.problem(REMOTE, "goes with no " + other, "leave one of them out");
        }
    }

    private static void readApple(JsonFields apple) {
        apple.value("cli", AbsolutePath.CLASS);
        String image = apple.string("image");
        boolean blank = image.chars().anyMatch(c -> c <= ' ' || c == 0x7f);
        if (blank || !RemoteNames.isLength(image, IMAGE_BYTES_MAX)) {
            apple.problem("image", "is no image", "write 1 to 256 bytes without blanks");
        }
        digest(apple, "image_digest");
        if (apple.has("harness_closure_digest")) {
            digest(apple, "harness_closure_digest");
        }
        apple.end();
    }

    private static void readRemote(JsonFields remote) {
        if (!RemoteNames.isHost(remote.string("host"), HOST_BYTES_MAX)) {
            remote.problem(
                    "host", "is no host", "write 1 to 253 letters, digits, '.', ':' and '-'");
        }
        if (!RemoteNames.isUser(remote.string("user"), USER_BYTES_MAX)) {
            remote.problem(
                    "user",
                    "is no user",
                    "write 1 to 32 lower-case letters, digits, '_' and '-', no digit or '-' first");
        }
        if (remote.u16("port") == 0) {
            remote.problem("port", "is 0", "write a whole number from 1 to 65535");
        }
        readHostKey(remote);
        remote.value("identity_file", AbsolutePath.CLASS);
        digest(remote, "executor_digest");
        String image = remote.string("container_image");
        String pinned = digest(remote, "container_image_digest");
        if (!RemoteNames.isImage(image, IMAGE_BYTES_MAX)) {
            remote.problem(
                    "container_image",
                    "is no image that is pinned",
                    "write NAME@sha256:DIGEST, in lower case and without a tag");
        } else if (!image.endsWith("@" + pinned)) {
            remote.problem(
                    "container_image",
                    "is pinned to another digest than container_image_digest",
                    "write the same in both");
        }
        within(remote, "channel_timeout_ms", 100, 60_000);
        within(remote, "max_clock_skew_ms", 0, 5_000);
        within(remote, "max_sessions", 1, 64);
        remote.value("staging_root", AbsolutePath.CLASS);
        remote.end();
    }

    private static void readHostKey(JsonFields remote) {
        Optional<String> expected = RemoteNames.fingerprint(remote.string("host_public_key"));
        String fingerprint = remote.string("host_key_fingerprint");
        if (expected.isEmpty()) {
            remote.problem(
                    "host_public_key",
                    "is no Ed25519 key of a host",
                    "write ssh-ed25519, a blank, and the key in base64, without a comment");
        } else if (!fingerprint.equals(expected.get())) {
            remote.problem(
                    "host_key_fingerprint",
                    "is not that of host_public_key",
                    "compare both with the host's own (ssh-keygen -lf): the key there has "
                            + expected.get());
        }
    }

    private static void within(JsonFields fields, String name, long least, long most) {
        long value = fields.u32(name);
        if (value < least || value > most) {
            fields.problem(name, "is " + value, "write a number from " + least + " to " + most);
        }
    }

    private static String digest(JsonFields fields, String name) {
        String text = fields.string(name);
        if (!text.startsWith("sha256:") || !Digest.is(text.substring("sha256:".length()))) {
            fields.problem(name, "is no digest", "write sha256: and 64 hexadecimal digits");
        }
        return text;
    }
}
