import glove.sandbox.HostProgram;
import glove.sandbox.HostProgramLookup;
import glove.sandbox.HostPrograms;
import glove.sandbox.Launcher;
import glove.sandbox.RunningProgram;
import glove.sys.BorrowedFd;
import glove.sys.Donation;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.PollFd;
import glove.sys.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From the launch of cat to the first byte it gives back, from a warm JVM: as a host program whose
 * tree is held, and by a plain spawn, in turn; then ten of each at once.
 */
public final class HostLaunch {
    private static final int WARM_UP = 100;
    private static final int ROUNDS = 300;
    private static final int AT_ONCE = 10;

    private final Linux linux = Linux.host();
    private final byte[] one = {'x'};

    private HostLaunch() {}

    /** Argument: the launcher's path. */
    public static void main(String[] args) throws Exception {
        new HostLaunch().run(args[0]);
    }

    private void run(String path) throws Exception {
        try (Launcher launcher = Launcher.open(linux, UnixPath.of(path));
                OwnedFd cat = linux.open(UnixPath.of("/usr/bin/cat"), 010000000, 0)) {
            HostPrograms programs = HostPrograms.of(linux, launcher);
            HostProgram program = new HostProgramLookup(linux, List.of(UnixPath.of("/usr/bin")))
                    .find("cat", List.of(bytes("cat")), List.of(), UnixPath.of("/"));
            compare("one", 1, programs, program, cat);
            compare("ten at once", AT_ONCE, programs, program, cat);
        }
    }

    private void compare(
            String what, int count, HostPrograms programs, HostProgram program, OwnedFd cat)
            throws Exception {
        long[] ours = new long[ROUNDS];
        long[] plain = new long[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long held = held(count, programs, program);
            long spawned = spawned(count, cat);
            if (i >= 0) {
                ours[i] = held;
                plain[i] = spawned;
                ratios[i] = (double) held / spawned;
            }
        }
        Arrays.sort(ours);
        Arrays.sort(plain);
        Arrays.sort(ratios);
        System.out.printf(
                "%s, launch to first byte: held p50 %.2f ms (p90 %.2f), spawn p50 %.2f ms"
                        + " (p90 %.2f), ratio p50 %.2f (p10 %.2f, p90 %.2f)%n",
                what, ms(ours, 50), ms(ours, 90), ms(plain, 50), ms(plain, 90), at(ratios, 50),
                at(ratios, 10), at(ratios, 90));
    }

    private long held(int count, HostPrograms programs, HostProgram program) throws Exception {
        List<RunningProgram> all = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            RunningProgram running = programs.launch(program);
            linux.write(running.stdin(), one);
            all.add(running);
        }
        for (RunningProgram running : all) {
            awaitByte(running.stdout());
        }
        long end = System.nanoTime();
        for (RunningProgram running : all) {
            running.close();
        }
        return end - start;
    }

    private long spawned(int count, OwnedFd cat) throws Exception {
        List<Pipe> pipes = new ArrayList<>();
        int[] pids = new int[count];
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Pipe in = linux.pipe();
            Pipe out = linux.pipe();
            pids[i] = linux.spawn(cat, List.of(bytes("cat")), List.of(), List.of(
                    new Donation(in.read(), 0),
                    new Donation(out.write(), 1),
                    new Donation(BorrowedFd.STDERR, 2)));
            linux.write(in.write(), one);
            pipes.add(in);
            pipes.add(out);
        }
        for (int i = 0; i < count; i++) {
            awaitByte(pipes.get(2 * i + 1).read());
        }
        long end = System.nanoTime();
        for (Pipe pipe : pipes) {
            pipe.close();
        }
        for (int pid : pids) {
            linux.waitFor(pid);
        }
        return end - start;
    }

    private void awaitByte(Fd from) throws Exception {
        linux.poll(List.of(new PollFd(from, PollFd.POLLIN)), 10_000);
        if (linux.read(from, 1).length != 1) {
            throw new IllegalStateException("no byte");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static double ms(long[] sorted, int percent) {
        return sorted[(sorted.length - 1) * percent / 100] / 1e6;
    }

    private static double at(double[] sorted, int percent) {
        return sorted[(sorted.length - 1) * percent / 100];
    }
}
