package glove.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs one command to its end, bounded in time, and keeps what it printed. Confined to one thread.
 */
public final class Command {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final ProcessBuilder builder;
    private byte[] input = new byte[0];
    private Duration patience = PATIENCE;
    private boolean terminal;

    /** A command line; the first word is looked up in PATH. */
    public Command(List<String> words) {
        this.builder = new ProcessBuilder(words);
    }

    /** {@link #Command(List)} with the words themselves. */
    public static Command of(String... words) {
        return new Command(List.of(words));
    }

    /** The command line. */
    public List<String> words() {
        return List.copyOf(builder.command());
    }

    /** Where it starts. */
    public Command in(Path directory) {
        builder.directory(directory.toFile());
        return this;
    }

    /** One more variable. */
    public Command with(String name, String value) {
        builder.environment().put(name, value);
        return this;
    }

    /** Exactly these variables. */
    public Command withOnly(Map<String, String> environment) {
        builder.environment().clear();
        builder.environment().putAll(new HashMap<>(environment));
        return this;
    }

    /** What it reads from standard input. */
    public Command reading(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    /** The same command with a terminal of its own as standard streams, made by script(1). */
    public Command onTerminal() {
        StringBuilder line = new StringBuilder();
        for (String word : builder.command()) {
            line.append('\'').append(word.replace("'", "'\\''")).append("' ");
        }
        Command wrapped = of("script", "-qec", line.toString(), "/dev/null");
        wrapped.builder.environment().putAll(builder.environment());
        wrapped.terminal = true;
        return wrapped;
    }

    /** How long it may take. */
    public Command within(Duration time) {
        patience = time;
        return this;
    }

    /** Starts it without waiting. */
    public Process start() throws IOException {
        return builder.start();
    }

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        Process process = builder.start();
        Reader out = new Reader(process.getInputStream());
        Reader err = new Reader(process.getErrorStream());
        out.start();
        err.start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input);
        } catch (IOException e) {
            // It may end without reading: that is its business.
        }
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            process.waitFor();
            throw new AssertionError("still running after " + patience + ": " + builder.command()
                    + "\n" + out.text() + err.text());
        }
        out.join(patience.toMillis());
        err.join(patience.toMillis());
        byte[] printed = terminal ? withoutEcho(out.text()) : out.bytes();
        return new Result(process.exitValue(), printed, err.text());
    }

    /** Without the echo of the end of its input, which script types as Ctrl-D or NUL. */
    private static byte[] withoutEcho(String printed) {
        return printed.replace("^D\b\b", "").replace("^@", "").getBytes(StandardCharsets.UTF_8);
    }

    /** How a command ended, and what it printed. */
    public static final class Result {
        private final int status;
        private final byte[] out;
        private final String err;

        Result(int status, byte[] out, String err) {
            this.status = status;
            this.out = out;
            this.err = err;
        }

        /** Exit status; 128 and the signal for a killed one. */
        public int status() {
            return status;
        }

        /** Standard output, byte for byte. */
        public byte[] outBytes() {
            return out.clone();
        }

        /** Standard output as text. */
        public String out() {
            return new String(out, StandardCharsets.UTF_8);
        }

        /** Standard error as text. */
        public String err() {
            return err;
        }

        @Override
        public String toString() {
            return "status " + status + "\nstdout: " + out() + "\nstderr: " + err;
        }
    }

    private static final class Reader extends Thread {
        private final InputStream in;
        private final ByteArrayOutputStream read = new ByteArrayOutputStream(); // guarded by itself

        Reader(InputStream in) {
            super("command-output");
            this.in = in;
            setDaemon(true);
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8192];
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    synchronized (read) {
                        read.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                // Closed under us: what was read counts.
            }
        }

        byte[] bytes() {
            synchronized (read) {
                return read.toByteArray();
            }
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }
}
