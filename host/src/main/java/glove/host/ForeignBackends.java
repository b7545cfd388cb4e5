package glove.host;

import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.JsonFields;

import java.util.Optional;

/**
 * The parts of a configuration that name where sessions run other than on this Linux machine
 * (sheet 81, 3.4 and 3.5). This build runs none there: they are read, so that a mistake in them is
 * told as one, and refused. Stateless.
 */
final class ForeignBackends {
    private static final String ABSENT = "is not in this build";
    private static final String LEAVE_OUT = "leave it out";

    private ForeignBackends() {}

    static void refuse(JsonFields config) {
        Optional<JsonFields> apple = config.optionalObject("apple_container");
        if (apple.isPresent()) {
            config.problem("apple_container", ABSENT, LEAVE_OUT);
            readApple(apple.get());
        }
        Optional<JsonFields> remote = config.optionalObject("remote_backend");
        if (remote.isPresent()) {
            config.problem("remote_backend", ABSENT, LEAVE_OUT);
            readRemote(remote.get());
        }
    }

    private static void readApple(JsonFields apple) {
        apple.value("cli", AbsolutePath.CLASS);
        text(apple, "image", 256);
        digest(apple, "image_digest");
        if (apple.has("harness_closure_digest")) {
            digest(apple, "harness_closure_digest");
        }
        apple.end();
    }

    private static void readRemote(JsonFields remote) {
        text(remote, "host", 253);
        text(remote, "user", 32);
        if (remote.u16("port") == 0) {
            remote.problem("port", "is 0", "write a whole number from 1 to 65535");
        }
        text(remote, "host_public_key", 600);
        text(remote, "host_key_fingerprint", 64);
        remote.value("identity_file", AbsolutePath.CLASS);
        digest(remote, "executor_digest");
        text(remote, "container_image", 256);
        digest(remote, "container_image_digest");
        within(remote, "channel_timeout_ms", 100, 60_000);
        within(remote, "max_clock_skew_ms", 0, 5_000);
        within(remote, "max_sessions", 1, 64);
        remote.value("staging_root", AbsolutePath.CLASS);
        remote.end();
    }

    private static void within(JsonFields fields, String name, long least, long most) {
        long value = fields.u32(name);
        if (value < least || value > most) {
            fields.problem(name, "is " + value, "write a number from " + least + " to " + most);
        }
    }

    private static void text(JsonFields fields, String name, int most) {
        String text = fields.string(name);
        if (text.isEmpty() || text.length() > most) {
            fields.problem(name, "has a wrong length", "write 1 to " + most + " bytes");
        }
    }

    private static void digest(JsonFields fields, String name) {
        String text = fields.string(name);
        if (!text.startsWith("sha256:") || !Digest.is(text.substring(7))) {
            fields.problem(name, "is no digest", "write sha256: and 64 hexadecimal digits");
        }
    }
}
