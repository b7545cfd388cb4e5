package glove.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real terminal with a program in front, driven as a person would: what is typed, what appears
 * (script(1) holds it). Waits are bounded. Confined to one thread but for its reader.
 */
public final class Screen implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 240;

    private final Process script;
    private final OutputStream keys;
    private final StringBuilder shown = new StringBuilder(); // guarded by itself
    private int seen;
    private volatile boolean blind;

    private Screen(Process script) {
        this.script = script;
        this.keys = script.getOutputStream();
        Thread reader = new Thread(this::read, "screen");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a program of somebody's on a terminal of his, of 24 by 80. */
    public static Screen of(Identity owner, List<String> words, Map<String, String> environment)
            throws IOException {
        StringBuilder line = new StringBuilder("stty rows 24 cols 80; exec");
        for (String word : words) {
            line.append(" '").append(word.replace("'", "'\\''")).append('\'');
        }
        ProcessBuilder builder = new ProcessBuilder(
                owner.command(List.of("script", "-qefc", line.toString(), "/dev/null")));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        return new Screen(builder.start());
    }

    private void read() {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = script.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (blind) {
                    return;
                }
                synchronized (shown) {
                    shown.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                    shown.notifyAll();
                }
            }
        } catch (IOException e) {
            // Closed under us: what was read counts.
        }
    }

    /** Types. */
    public Screen type(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
        return this;
    }

    /**
     * Types this each second until that appears: a program may look away at the very moment of a
     * key (Python between a character and its select(2), for Ctrl-C).
     */
    public String typeUntil(String keys, String text) throws IOException, InterruptedException {
        for (int second = 0; second < PATIENCE_SECONDS; second++) {
            type(keys);
            Optional<String> since = awaitFor(text, 1);
            if (since.isPresent()) {
                return since.get();
            }
        }
        return await(text);
    }

    /**
     * Waits until this appears behind what was waited for before.
     *
     * @return what appeared since then, up to and with it
     */
    public String await(String text) throws InterruptedException {
        return awaitFor(text, PATIENCE_SECONDS)
                .orElseThrow(() -> new AssertionError("'" + text + "' did not appear within "
                        + PATIENCE_SECONDS + " s behind: " + rest()));
    }

    private String rest() {
        synchronized (shown) {
            return shown.substring(seen);
        }
    }

    private Optional<String> awaitFor(String text, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        synchronized (shown) {
            for (; ; ) {
                int at = shown.indexOf(text, seen);
                if (at >= 0) {
                    String since = shown.substring(seen, at + text.length());
                    seen = at + text.length();
                    return Optional.of(since);
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return Optional.empty();
                }
                shown.wait(left);
            }
        }
    }

    /** From now on what is shown is not taken, as by a terminal whose connection hangs. */
    public void stopReading() {
        blind = true;
    }

    /** Waits for the program's end; its exit status. */
    public int end() throws InterruptedException {
        if (!script.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + shown);
        }
        return script.exitValue();
    }

    /** The terminal's hang-up ends whatever is left. */
    @Override
    public void close() {
        script.destroyForcibly();
    }
}
