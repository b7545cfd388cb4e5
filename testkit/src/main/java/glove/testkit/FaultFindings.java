package glove.testkit;

import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Syscalls;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * What a loop of faults in a JVM of its own finds, line by line in a file: {@code
 * DEFECT ...} for each, at once and each once, and {@code COVERED calls points} at the end. What
 * never ends is a defect, too. Thread-safe but for its construction.
 */
public final class FaultFindings {
    private static final long PATIENCE_NANOS = 240_000_000_000L;
    private static final int EXIT_NO_END = 3;
    private static final int EXIT_NO_USE = 4;

    private final PrintStream out;
    private final Set<String> harmless = new TreeSet<>();
    private final Set<String> defects = new TreeSet<>(); // guarded by itself
    private final Set<Integer> before = pipes();
    private volatile FaultyCalls current = new FaultyCalls(Syscalls.host(), 0, 0);
    private volatile long deadline = Long.MAX_VALUE;

    /**
     * None so far; watches from now on. Writes to the file the property {@code glove.findings}
     * names.
     *
     * @param harmless lines {@code CLASS.METHOD CALL ERRNO,... REASON}
     */
    public FaultFindings(InputStream harmless) throws IOException {
        this.out = new PrintStream(
                new FileOutputStream(System.getProperty("glove.findings")),
                true,
                StandardCharsets.UTF_8);
        String text = new String(harmless.readAllBytes(), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            String[] parts = line.split(" ", 4);
            if (!line.startsWith("#") && parts.length == 4) {
                for (String symbol : parts[2].split(",")) {
                    this.harmless.add(parts[0] + " " + parts[1] + " " + symbol);
                }
            }
        }
        Thread watchdog = new Thread(this::watch, "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private void watch() {
        while (!Thread.currentThread().isInterrupted()) {
            if (System.nanoTime() > deadline) {
                out.println("DEFECT no end after " + current.fault());
                for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
                    out.println("  thread " + List.of(stack));
                }
                end(EXIT_NO_END);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends the JVM: there is nothing more to find. */
    private void end(int status) {
        out.flush();
        Runtime.getRuntime().halt(status);
    }

    /** One attempt begins, which has {@value #PATIENCE_NANOS} ns. */
    public void begin(FaultyCalls calls) {
        current = calls;
        deadline = System.nanoTime() + PATIENCE_NANOS;
        FdLeaks.watch();
    }

    /**
     * It ended; what it opened must be closed.
     *
     * @param catching the method that opens the pipe of signals, which stays open for the life of a
     *     process, and is closed here by its number
     * @param lasting others that open what may stay open until the process ends
     */
    public void end(String catching, String... lasting) throws IOException {
        deadline = Long.MAX_VALUE;
        int kept = 0;
        for (Throwable leak : FdLeaks.stop()) {
            List<String> methods = new ArrayList<>();
            for (StackTraceElement frame : leak.getStackTrace()) {
                methods.add(frame.getMethodName());
            }
            if (methods.contains(catching)) {
                kept++;
            } else if (Collections.disjoint(methods, List.of(lasting))) {
                defect("leaks a descriptor opened at " + List.of(leak.getStackTrace()));
            }
        }
        for (int fd : pipes()) {
            if (kept > 0 && !before.contains(fd)) {
                kept--;
                Syscalls.host().call(Call.CLOSE, fd, 0, 0, 0, 0, 0);
            }
        }
    }

    /** Writes a byte to each pipe opened meanwhile: what would end the process ends the attempt. */
    public void wakePipes(int value) {
        try {
            for (int fd : pipes()) {
                if (!before.contains(fd)) {
                    wake(fd, value);
                }
            }
        } catch (IOException e) {
            defect("cannot be ended: " + e);
        }
    }

    private static void wake(int fd, int value) {
        // From whichever end; two bytes are one too many for nobody.
        try (OutputStream pipe = new FileOutputStream("/proc/self/fd/" + fd)) {
            pipe.write(value);
        } catch (IOException e) {
            // Closed meanwhile: it was none that wakes. Where all are, the watchdog tells.
        }
    }

    /** Numbers of the pipes that are open. */
    private static Set<Integer> pipes() throws IOException {
        Set<Integer> all = new TreeSet<>();
        try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path fd : fds) {
                if (target(fd).startsWith("pipe:")) {
                    all.add(Integer.parseInt(fd.getFileName().toString()));
                }
            }
        }
        return all;
    }

    /** Empty when it was closed meanwhile, as that of the listing is. */
    private static String target(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Tells of one. */
    public void defect(String what) {
        String fault = current.fault()
                .map(f -> f.call().kernelName() + " of " + f.site() + " " + f.symbol())
                .orElse("no fault");
        String line = "DEFECT after " + fault + ": " + what.replace("\n", "\\n");
        synchronized (defects) {
            if (defects.add(line)) {
                out.println(line); // at once: the next fault may never end
            }
        }
    }

    /** Of something that was thrown, with where it was. */
    public void thrown(Throwable thrown) {
        StringBuilder where = new StringBuilder("throws ").append(thrown);
        for (StackTraceElement frame : thrown.getStackTrace()) {
            where.append(" < ").append(frame);
        }
        defect(where.toString());
    }

    /** Without a fault it must go well, or there is nothing to be found. */
    public void requireNone(Optional<String> wrong) {
        if (wrong.isPresent()) {
            out.println("DEFECT fails without a fault: " + wrong.get());
            end(EXIT_NO_USE);
        }
    }

    /** Whether a fault is listed as one that may pass unnoticed, or be told in another way. */
    public boolean isHarmless(Fault fault) {
        String place = fault.site() + " " + fault.call().kernelName();
        return harmless.contains(place + " *") || harmless.contains(place + " " + fault.symbol());
    }

    /** The last line. */
    public void covered(FaultLoop loop) {
        out.println("COVERED " + loop.calls() + " " + loop.points());
    }
}
