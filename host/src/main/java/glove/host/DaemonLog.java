package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Events of the daemon, one line each on stderr: {@code gloved: LEVEL event key="value" ...}, or
 * JSON objects. Values are quoted as JSON strings are, so a line is a line whatever a peer sent.
 *
 * <p>The daemon's work does not depend on who reads this: a thread of its own writes. Lines for
 * which there is no room are dropped and counted, and the count is told when there is. Thread-safe:
 * nobody waits, and a line is one write.
 */
final class DaemonLog implements AutoCloseable {
    /** Lines that wait to be written. */
    static final int LINES_MAX = 256;

    /** Of a value; what a peer sent may be as long as a frame. */
    static final int VALUE_CHARS_MAX = 1000;

    private static final long LAST_WAIT_MILLIS = 200;
    private static final long ROOM_MILLIS = 1000;
    private static final String END = ""; // no line is empty

    private final Linux linux;
    private final Fd stderr;
    private final boolean json;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread writer;

    /** How much the owner should care. */
    enum Level {
        /** The life of the daemon. */
        INFO,
        /** Something is less than it should be. */
        WARNING,
        /** Somebody must act. */
        ERROR
    }

    /**
     * With its thread.
     *
     * @param stderr borrowed
     * @throws StartException when there cannot be one
     */
    DaemonLog(Linux linux, Fd stderr, boolean json) throws StartException {
        this.linux = linux;
        this.stderr = stderr;
        this.json = json;
        this.writer = DaemonThread.start("log", this::writeAll);
    }

    /** The life of the daemon. */
    void info(String event, String... keysAndValues) {
        add(Level.INFO, event, keysAndValues);
    }

    /** Something is less than it should be. */
    void warning(String event, String... keysAndValues) {
        add(Level.WARNING, event, keysAndValues);
    }

    /** Somebody must act. */
    void error(String event, String... keysAndValues) {
        add(Level.ERROR, event, keysAndValues);
    }

    /**
     * A bug, or too little memory: who mends it reads where it was.
     *
     * @param during what was done
     */
    void fault(String during, Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String place = trace.length == 0 ? "" : trace[0].toString();
        error("fault", "during", during, "what", thrown.toString(), "where", place);
    }

    private void add(Level level, String event, String... keysAndValues) {
        if (!lines.offer(line(level, event, keysAndValues))) {
            dropped.incrementAndGet();
        }
    }

    /** The writer's life: until the end is in the queue. */
    private void writeAll() {
        try {
            for (String line = lines.take(); !line.equals(END); line = lines.take()) {
                long lost = dropped.getAndSet(0);
                if (lost > 0) {
                    String count = Long.toString(lost);
                    write(line(Level.WARNING, "log_lines_dropped", "count", count));
                }
                write(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; then it ends
        }
    }

    /** Waits for whoever reads, as long as it takes. What cannot be written is lost. */
    private void write(String line) {
        try {
            if (Isolated.run(() -> writeFully(line)).isPresent()) {
                dropped.incrementAndGet(); // no memory for it; the next line needs the thread
            }
        } catch (ErrnoException e) {
            dropped.incrementAndGet();
        }
    }

    private void writeFully(String line) throws ErrnoException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int count = linux.writeNow(stderr, bytes, at, bytes.length - at);
            if (count == Linux.WOULD_BLOCK) { // somebody else made it so
                linux.awaitRoom(stderr, ROOM_MILLIS);
            } else {
                at += count;
            }
        }
    }

    /** The line of an end before there is a log. */
    static String failure(String why) {
        return text(Level.ERROR, "failed", "why", why);
    }

    private String line(Level level, String event, String... keysAndValues) {
        return json ? json(level, event, keysAndValues) : text(level, event, keysAndValues);
    }

    private static String json(Level level, String event, String... keysAndValues) {
        JsonWriter out = new JsonWriter().beginObject();
        out.member("time", Instant.now().toString())
                .member("level", level.name().toLowerCase(Locale.ROOT))
                .member("event", event);
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            out.member(keysAndValues[i], cut(keysAndValues[i + 1]));
        }
        return out.endObject().toJson();
    }

    private static String text(Level level, String event, String... keysAndValues) {
        StringBuilder out = new StringBuilder("gloved: ");
        if (level != Level.INFO) {
            out.append(level.name().toLowerCase(Locale.ROOT)).append(' ');
        }
        out.append(event);
        for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
            out.append(' ').append(keysAndValues[i]).append('=');
            out.append(new JsonWriter().value(cut(keysAndValues[i + 1])).toJson());
        }
        return out.toString();
    }

    private static String cut(String value) {
        return value.length() <= VALUE_CHARS_MAX
                ? value
                : value.substring(0, VALUE_CHARS_MAX) + "... (" + value.length() + ")";
    }

    /** Gives what waits a short moment to be written: the end does not depend on who reads. */
    @Override
    public void close() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WAIT_MILLIS);
        try {
            if (lines.offer(END, LAST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                writer.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
