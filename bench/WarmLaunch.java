import glove.sandbox.AgentHome;
import glove.sandbox.Grants;
import glove.sandbox.Guards;
import glove.sandbox.GuestPrograms;
import glove.sandbox.Host;
import glove.sandbox.Ids;
import glove.sandbox.Launcher;
import glove.sandbox.Nesting;
import glove.sandbox.PrivateDirectories;
import glove.sandbox.Profile;
import glove.sandbox.ProgramLookup;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.Scratch;
import glove.sandbox.StandardStreams;
import glove.sys.BorrowedFd;
import glove.sys.Donation;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Launches /bin/true from a warm JVM, in Glove's sandbox and in bubblewrap's, in turn, both started
 * by the same call. bubblewrap shows the same system paths and has the same namespaces; it installs
 * no filter, no second user namespace and no Landlock, which Glove does.
 */
public final class WarmLaunch {
    private static final int WARM_UP = 100;
    private static final int ROUNDS = 300;

    private WarmLaunch() {}

    /** Arguments: the launcher's path, bwrap's path. */
    public static void main(String[] args) throws Exception {
        Linux linux = Linux.host();
        Profile profile = profile(linux);
        List<byte[]> bubblewrap = bubblewrap(profile.host());
        long[] ours = new long[ROUNDS];
        long[] theirs = new long[ROUNDS];
        double[] ratios = new double[ROUNDS];
        try (Launcher launcher = Launcher.open(linux, UnixPath.of(args[0]));
                OwnedFd bwrap = linux.open(UnixPath.of(args[1]), 010000000, 0)) {
            Sandbox sandbox = new Sandbox(linux, launcher);
            for (int i = -WARM_UP; i < ROUNDS; i++) {
                long start = System.nanoTime();
                try (RunningSandbox running =
                        sandbox.launch(profile, StandardStreams.inherited())) {
                    require(running.await().shellStatus() == 0, "glove failed");
                }
                long middle = System.nanoTime();
                int pid = linux.spawn(bwrap, bubblewrap, List.of(), List.of(
                        new Donation(BorrowedFd.STDIN, 0),
                        new Donation(BorrowedFd.STDOUT, 1),
                        new Donation(BorrowedFd.STDERR, 2)));
                require(linux.waitFor(pid) == 0, "bubblewrap failed");
                long end = System.nanoTime();
                if (i >= 0) {
                    ours[i] = middle - start;
                    theirs[i] = end - middle;
                    ratios[i] = (double) ours[i] / theirs[i];
                }
            }
        }
        Arrays.sort(ours);
        Arrays.sort(theirs);
        Arrays.sort(ratios);
        System.out.printf(
                "warm launch: glove p50 %.2f ms (p10 %.2f, p90 %.2f), bubblewrap p50 %.2f ms"
                        + " (p10 %.2f, p90 %.2f), ratio p50 %.2f (p10 %.2f, p90 %.2f)%n",
                ms(ours, 50), ms(ours, 10), ms(ours, 90), ms(theirs, 50), ms(theirs, 10),
                ms(theirs, 90), at(ratios, 50), at(ratios, 10), at(ratios, 90));
    }

    private static Profile profile(Linux linux) throws Exception {
        Host host = Host.read(linux);
        Grants grants = Grants.of(linux, List.of());
        PrivateDirectories directories = PrivateDirectories.beside(grants);
        List<UnixPath> path = List.of(UnixPath.of("/usr/bin"));
        return new Profile(
                host,
                grants,
                AgentHome.FRESH,
                directories,
                Scratch.ofMemory(linux.totalRam()),
                Ids.ofThisProcess(linux, 0),
                new ProgramLookup(linux, host, grants)
                        .find(UnixPath.of("true"), directories.home(), path, path),
                List.of(bytes("true")),
                List.of(bytes("PATH=/usr/bin:/bin")),
                directories.home(),
                Optional.empty(),
                List.of(),
                Guards.NONE,
                false,
                Nesting.NONE,
                Optional.empty(),
                GuestPrograms.NONE);
    }

    private static List<byte[]> bubblewrap(Host host) throws Exception {
        List<byte[]> words = new ArrayList<>();
        add(words, "bwrap", "--unshare-all", "--unshare-user");
        add(words, "--die-with-parent", "--new-session");
        add(words, "--cap-drop", "ALL", "--hostname", "glove", "--clearenv");
        for (UnixPath path : host.systemPaths()) {
            var link = java.nio.file.Path.of(path.toString());
            if (java.nio.file.Files.isSymbolicLink(link)) {
                add(words, "--symlink", java.nio.file.Files.readSymbolicLink(link).toString());
            } else {
                add(words, "--ro-bind", path.toString());
            }
            add(words, path.toString());
        }
        add(words, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp");
        add(words, "--tmpfs", "/home/agent", "--chdir", "/home/agent", "/usr/bin/true");
        return words;
    }

    private static void add(List<byte[]> to, String... words) {
        for (String word : words) {
            to.add(bytes(word));
        }
    }

    private static byte[] bytes(String word) {
        return word.getBytes(StandardCharsets.UTF_8);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static double ms(long[] sorted, int percent) {
        return sorted[sorted.length * percent / 100] / 1e6;
    }

    private static double at(double[] sorted, int percent) {
        return sorted[sorted.length * percent / 100];
    }
}
