package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Events of the daemon, one line each on stderr: {@code gloved: LEVEL event key="value" ...}, or
 * JSON objects. Values are quoted as JSON strings are, so a line is a line whatever a peer sent.
 * What cannot be written is lost: the daemon's work does not depend on who reads this. Thread-safe:
 * a line is one write.
 */
final class DaemonLog {
    private final Linux linux;
    private final Fd stderr;
    private final boolean json;

    /** How much the owner should care. */
    enum Level {
        /** The life of the daemon. */
        INFO,
        /** Something is less than it should be. */
        WARNING,
        /** Somebody must act. */
        ERROR
    }

    DaemonLog(Linux linux, Fd stderr, boolean json) {
        this.linux = linux;
        this.stderr = stderr;
        this.json = json;
    }

    /** The life of the daemon. */
    void info(String event, String... keysAndValues) {
        write(Level.INFO, event, keysAndValues);
    }

    /** Something is less than it should be. */
    void warning(String event, String... keysAndValues) {
        write(Level.WARNING, event, keysAndValues);
    }

    /** Somebody must act. */
    void error(String event, String... keysAndValues) {
        write(Level.ERROR, event, keysAndValues);
    }

    private void write(Level level, String event, String... keysAndValues) {
        String line = json ? json(level, event, keysAndValues) : text(level, event, keysAndValues);
        try {
            linux.writeFully(stderr, (line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (ErrnoException e) {
            return; // see above
        }
    }

    private static String json(Level level, String event, String... keysAndValues) {
        JsonWriter out = new JsonWriter().beginObject();
        out.member("time", Instant.now().toString())
                .member("level", level.name().toLowerCase(java.util.Locale.ROOT))
                .member("event", event);
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            out.member(keysAndValues[i], keysAndValues[i + 1]);
        }
        return out.endObject().toJson();
    }

    private static String text(Level level, String event, String... keysAndValues) {
        StringBuilder out = new StringBuilder("gloved: ");
        if (level != Level.INFO) {
            out.append(level.name().toLowerCase(java.util.Locale.ROOT)).append(' ');
        }
        out.append(event);
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            out.append(' ').append(keysAndValues[i]).append('=');
            out.append(new JsonWriter().value(keysAndValues[i + 1]).toJson());
        }
        return out.toString();
    }
}
