package glove.app;

import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.Fault;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@code exec} or {@code run} in this JVM again and again, each time with another system call
 * that fails, and says on standard output what went as it must not: {@code DEFECT ...} for each,
 * and {@code COVERED calls points} at the end. A JVM of its own, because a run catches signals; its
 * standard error is a file, from which what Glove says is read.
 *
 * <p>Arguments: the directory, how many ways of each call, and the words of the command line.
 */
final class FaultMain {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final String HARMLESS = "harmless-faults.txt";

    private final PrintStream out;
    private final Path room;
    private final List<String> words;
    private final List<byte[]> environment = new ArrayList<>();
    private final Set<String> harmless = new TreeSet<>();
    private final Set<String> defects = new TreeSet<>();
    private final Set<Integer> before = pipes();
    private Leftovers leftovers;
    private volatile FaultyCalls current = new FaultyCalls(Syscalls.host(), 0, 0);
    private volatile long deadline = Long.MAX_VALUE;

    private FaultMain(PrintStream out, List<String> args) throws Exception {
        this.out = out;
        this.room = Path.of(args.get(0));
        this.words = args.subList(2, args.size());
        for (String variable : List.of(
                "PATH=/usr/bin:/bin", "HOME=" + room, "XDG_STATE_HOME=" + room.resolve("state"))) {
            environment.add(variable.getBytes(StandardCharsets.UTF_8));
        }
        readHarmless();
        Linux.host().prctl(PR_SET_CHILD_SUBREAPER, 1);
        must(Linux.host()); // loads what is loaded once
        closeSignals();
        must(Linux.host());
        closeSignals();
        leftovers = Leftovers.since(Leftovers.Place.here(room));
    }

    public static void main(String[] args) throws Exception {
        List<String> all = List.of(args);
        FaultMain main = new FaultMain(System.out, all);
        Thread watchdog = new Thread(main::watch, "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        FaultLoop loop =
                new FaultLoop(Syscalls.host()).run(main::trial, Integer.parseInt(all.get(1)));
        main.must(Linux.host());
        main.out.println("COVERED " + loop.calls() + " " + loop.points());
    }

    private void readHarmless() throws IOException {
        try (InputStream in = FaultMain.class.getResourceAsStream(HARMLESS)) {
            String text = new String(
                    Objects.requireNonNull(in, HARMLESS).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                String[] parts = line.split(" ", 4);
                if (!line.startsWith("#") && parts.length == 4) {
                    for (String symbol : parts[2].split(",")) {
                        harmless.add(parts[0] + " " + parts[1] + " " + symbol);
                    }
                }
            }
        }
    }

    /** What never ends is a defect, too. */
    private void watch() {
        while (!Thread.currentThread().isInterrupted()) {
            if (System.nanoTime() > deadline) {
                out.println("DEFECT no end after " + current.fault());
                for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
                    out.println("  thread " + List.of(stack));
                }
                Glove.end(3);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private int run(Linux linux) {
        List<byte[]> arguments = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            arguments.add(word.getBytes(StandardCharsets.UTF_8));
        }
        Invocation invocation = new Invocation(arguments, environment);
        Companion companion =
                words.get(0).equals("exec") ? new Alone() : new ToolGateway(linux, invocation);
        return new ExecVerb(linux, invocation, companion).run();
    }

    private void must(Linux linux) throws IOException {
        FdLeaks.watch();
        String said = said();
        int status = run(linux);
        if (status != 0) {
            out.println(
                    "DEFECT fails without a fault: " + status + said().substring(said.length()));
            Glove.end(4);
        }
    }

    /** What it prints is in the file standard error is. */
    private String said() throws IOException {
        return Files.readString(room.resolve("err"), StandardCharsets.UTF_8);
    }

    /** The pipe of signals stays open for the life of a process: here it is closed by number. */
    private void closeSignals() throws IOException {
        int pipes = 0;
        for (Throwable leak : FdLeaks.stop()) {
            boolean signals = false;
            for (StackTraceElement frame : leak.getStackTrace()) {
                signals |= frame.getMethodName().equals("catchAll");
            }
            if (signals) {
                pipes++;
            } else {
                defect("leaks a descriptor opened at " + List.of(leak.getStackTrace()));
            }
        }
        for (int fd : pipes()) {
            if (pipes > 0 && !before.contains(fd)) {
                pipes--;
                Syscalls.host().call(Call.CLOSE, fd, 0, 0, 0, 0, 0);
            }
        }
    }

    /** Numbers of the pipes that are open. */
    private static Set<Integer> pipes() throws IOException {
        Set<Integer> all = new TreeSet<>();
        try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path fd : fds) {
                if (Files.isSymbolicLink(fd)
                        && Files.readSymbolicLink(fd).toString().startsWith("pipe:")) {
                    all.add(Integer.parseInt(fd.getFileName().toString()));
                }
            }
        }
        return all;
    }

    private void defect(String what) {
        String fault = current.fault()
                .map(f -> f.call().kernelName() + " of " + f.site() + " " + f.symbol())
                .orElse("no fault");
        String line = "DEFECT after " + fault + ": " + what.replace("\n", "\\n");
        if (defects.add(line)) {
            out.println(line); // at once: the next fault may never end
        }
    }

    private void trial(FaultyCalls calls) throws Exception {
        current = calls;
        deadline = System.nanoTime() + PATIENCE_NANOS;
        int heard = said().length();
        FdLeaks.watch();
        int status = -1;
        FutureTask<Integer> task = new FutureTask<>(() -> run(new Linux(calls)));
        task.run(); // here, on this thread: a run ends with the thread that began it
        try {
            status = task.get();
        } catch (ExecutionException e) {
            StringBuilder where = new StringBuilder(e.toString());
            Throwable cause = e.getCause();
            for (StackTraceElement frame :
                    cause == null ? e.getStackTrace() : cause.getStackTrace()) {
                where.append(" < ").append(frame);
            }
            defect("throws " + where);
        }
        closeSignals();
        deadline = Long.MAX_VALUE;
        for (String left : leftovers.found()) {
            defect("leaves " + left);
            leftovers = Leftovers.since(Leftovers.Place.here(room)); // told once
        }
        judge(calls.fault(), status, said().substring(heard));
    }

    private void judge(Optional<Fault> fault, int status, String said) {
        if (fault.isEmpty() || status == -1) {
            return;
        }
        Fault f = fault.get();
        String place = f.site() + " " + f.call().kernelName();
        boolean expected =
                harmless.contains(place + " *") || harmless.contains(place + " " + f.symbol());
        if (status == 0) {
            if (!f.isToBeMended() && !expected) {
                defect("is not told; said '" + said + "'");
            }
            return;
        }
        if (f.isToBeMended()) {
            defect("fails by it: " + status + " '" + said + "'");
            return;
        }
        String verb = "glove " + words.get(0) + ": ";
        long sentences = said.lines().filter(line -> line.startsWith(verb)).count();
        boolean told = said.startsWith(verb) && said.contains(f.symbol());
        boolean trace = said.contains("\tat ") || said.contains("Exception");
        if (status != ExecVerb.EXIT_CANNOT_LAUNCH || !told || trace || sentences > 2) {
            if (!expected || trace) {
                defect("tells it badly: " + status + " '" + said + "'");
            }
        }
    }
}
