package glove.app;

import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Limits;
import glove.sandbox.Meter;
import glove.sandbox.Metering;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The probes of {@code glove doctor} that contain something, each as {@code exec} would. Stateless
 * but for what it is given.
 */
final class ContainedProbes {
    /** Without it {@code exec} does not run at all. */
    static final String LAUNCH = "launch";

    private static final String CONFINEMENT = "confinement";
    private static final String PROCESSES_BOUND = "process_limit";
    private static final String PROTECTED = "protected_names";
    private static final String EGRESS = "egress";
    private static final String WATCHING = "tree_watch";
    private static final String CGROUP = "cgroup";

    private static final byte[] RUNTIME = "XDG_RUNTIME_DIR".getBytes(StandardCharsets.US_ASCII);
    private static final int PRIVATE = 0700;
    private static final int FILE_BYTES_MAX = 4096;
    private static final long CPU_MILLIS = 100;
    private static final long MEMORY_BYTES = 64L << 20;
    private static final long PROCESSES = 16;
    private static final String CONFIG = "[core]\n\tbare = false\n";

    private static final List<String> ELSEWHERE =
            List.of("TMPDIR=/a/directory/of/yours glove doctor");

    /** Needs no program but the shell. */
    private static final String READ_BACK =
            "while read -r a; do echo \"$a\"; done </proc/self/status;"
                    + " while read -r a; do echo \"$a\"; done </proc/self/limits";

    /** A fork beyond the limit, which ends some shells: said is what a shell that goes on says. */
    private static final String FORK_TOO_MANY = "echo begun; ulimit -u 1 2>/dev/null ||"
            + " ulimit -p 1 2>/dev/null || exit 0; (:) && echo forked; exit 0";

    /** Status 9: the protected name was written; 8: what is granted writable is not. */
    private static final String WRITE =
            "echo made >made || exit 8; { echo x >>.git/config; } 2>/dev/null && exit 9; exit 0";

    private final Linux linux;
    private final Invocation invocation;
    private final Launcher launcher;
    private final Remedies remedies;

    /** Borrows the launcher. */
    ContainedProbes(Linux linux, Invocation invocation, Launcher launcher, Remedies remedies) {
        this.linux = linux;
        this.invocation = invocation;
        this.launcher = launcher;
        this.remedies = remedies;
    }

    /** The one that decides whether {@code exec} runs. */
    Probe launch() {
        return new Probe(LAUNCH, this::launch);
    }

    /** The others, which tell nothing where that one fails. */
    List<Probe> others() {
        return List.of(
                new Probe(CONFINEMENT, this::confinement),
                new Probe(PROCESSES_BOUND, this::processLimit),
                new Probe(PROTECTED, this::protectedNames),
                new Probe(EGRESS, this::egress),
                new Probe(WATCHING, this::watching),
                new Probe(CGROUP, this::cgroup));
    }

    private TrialRun trial(long deadline) {
        return new TrialRun(linux, invocation, launcher, deadline);
    }

    /** Whatever stands in its way stands in that of {@code exec}: that is a failure. */
    private Check launch(long deadline) {
        try (TrialRun trial = trial(deadline)) {
            TrialRun.Result result = trial.run("--", "true");
            return result.succeeded()
                    ? Check.ok(LAUNCH, "a contained command ran, as by glove exec")
                    : Check.failed(
                            LAUNCH, "'true' ran contained, but " + result.words(), List.of());
        } catch (LaunchException e) {
            return Check.failed(LAUNCH, e.getMessage(), remedies.ofLaunch());
        } catch (Refusal e) {
            return Check.failed(LAUNCH, e.getMessage(), e.hints());
        } catch (ErrnoException e) {
            return Check.failed(LAUNCH, String.valueOf(e.getMessage()), List.of());
        }
    }

    private Check confinement(long deadline) throws LaunchException, Refusal, ErrnoException {
        try (TrialRun trial = trial(deadline)) {
            TrialRun.Result result = trial.run("--", "sh", "-c", READ_BACK);
            List<String> missing = new ArrayList<>();
            String status = "\n" + result.out().replace('\t', ' ');
            for (String wanted : List.of(
                    "Uid: 1000 1000 1000 1000",
                    "CapEff: 0000000000000000",
                    "CapPrm: 0000000000000000",
                    "CapBnd: 0000000000000000",
                    "NoNewPrivs: 1",
                    "Seccomp: 2")) {
                if (!status.contains("\n" + wanted + "\n")) {
                    missing.add(wanted);
                }
            }
            String core = "Max core file size";
            if (!isLimit(status, core, 1) && !isLimit(status, core, 0)) {
                missing.add("core file size 1");
            }
            return missing.isEmpty()
                    ? Check.ok(
                            CONFINEMENT,
                            "inside, ids, capabilities, no_new_privs, the filter and the limit of "
                                    + "core files read back as set")
                    : Check.failed(
                            CONFINEMENT,
                            "inside, these do not read back as set: " + String.join(", ", missing),
                            List.of("do not rely on this host, and report it"));
        }
    }

    private static boolean isLimit(String limits, String name, long value) {
        int at = limits.indexOf("\n" + name);
        return at >= 0
                && limits.substring(at + 1 + name.length()).stripLeading().startsWith(value + " ");
    }

    /** The kernel exempts the user 0 of the machine (setrlimit(2)); no number tells. */
    private Check processLimit(long deadline) throws LaunchException, Refusal, ErrnoException {
        try (TrialRun trial = trial(deadline)) {
            TrialRun.Result result = trial.run("--", "sh", "-c", FORK_TOO_MANY);
            if (!result.out().startsWith("begun")) {
                return Check.untried(
                        PROCESSES_BOUND, "the contained shell: " + result.words(), List.of());
            }
            return result.out().contains("forked")
                    ? Check.missing(
                            PROCESSES_BOUND,
                            "a contained command may start processes without end: no limit of the "
                                    + "kernel's binds the user 0",
                            List.of("run glove as an ordinary user", "glove exec --pids 4096 ..."))
                    : Check.ok(PROCESSES_BOUND, "a process beyond the limit was refused");
        }
    }

    /** A repository of its own in the directory for temporary files, and a write to its config. */
    private Check protectedNames(long deadline) {
        UnixPath temporary = HostProbes.temporary(invocation);
        try (OwnedFd parent =
                linux.open(temporary, OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY, 0)) {
            UnixPath name = UnixPath.of("glove-doctor-" + linux.getpid() + "-"
                    + Long.toString(System.nanoTime(), Character.MAX_RADIX));
            linux.mkdirat(parent, name, PRIVATE);
            try {
                UnixPath work = linux.pathOf(parent).resolve(name);
                makeRepository(work);
                return protectedNames(work, deadline);
            } finally {
                new TreeRemoval(linux).remove(parent, name);
            }
        } catch (ErrnoException e) {
            return Check.untried(
                    PROTECTED, "for want of a directory: " + e.getMessage(), ELSEWHERE);
        }
    }

    private Check protectedNames(UnixPath work, long deadline) throws ErrnoException {
        try (TrialRun trial = trial(deadline)) {
            TrialRun.Result result =
                    trial.run("--workspace", work.toString(), "--", "sh", "-c", WRITE);
            String config = new String(
                    linux.readFile(work.resolve(".git/config"), FILE_BYTES_MAX),
                    StandardCharsets.UTF_8);
            boolean made = linux.lstatIfPresent(work.resolve("made")).isPresent();
            return result.succeeded() && made && config.equals(CONFIG)
                    ? Check.ok(
                            PROTECTED,
                            "in a writable directory, git's configuration could not be written")
                    : Check.failed(
                            PROTECTED,
                            "a protected name or a writable grant does not hold: " + result.words(),
                            List.of("do not grant a repository writable here, and report it"));
        } catch (LaunchException | Refusal e) {
            // It is refused, not granted without its guards.
            return Check.untried(
                    PROTECTED,
                    "a directory in '" + work.parent() + "' cannot be granted: " + e.getMessage(),
                    ELSEWHERE);
        }
    }

    private void makeRepository(UnixPath work) throws ErrnoException {
        try (OwnedFd directory = linux.open(work, OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY, 0)) {
            for (String inner : List.of(".git", ".git/objects", ".git/refs", ".git/hooks")) {
                linux.mkdirat(directory, UnixPath.of(inner), PRIVATE);
            }
            write(directory, ".git/HEAD", "ref: refs/heads/main\n");
            write(directory, ".git/config", CONFIG);
        }
    }

    private void write(OwnedFd directory, String name, String text) throws ErrnoException {
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_EXCL;
        try (OwnedFd file = linux.openat(directory, UnixPath.of(name), flags, 0600)) {
            linux.writeFully(file, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Through the proxy to a server of its own, and to nothing else. */
    private Check egress(long deadline) throws LaunchException, Refusal, ErrnoException {
        try (TrialRun trial = trial(deadline)) {
            String port = Integer.toString(trial.listen());
            TrialRun.Result result = trial.run(
                    "--egress-allow-private",
                    "127.0.0.1:" + port,
                    "--",
                    "sh",
                    "-c",
                    "exec glove-connect 127.0.0.1 " + port);
            return result.succeeded() && result.served() && result.out().equals("glove")
                    ? Check.ok(
                            EGRESS,
                            "a contained client reached a port of this machine through the proxy")
                    : Check.failed(
                            EGRESS,
                            "a contained client did not get through the proxy: " + result.words(),
                            List.of("leave out --egress-allow: everything else holds; report it"));
        } catch (LaunchException e) {
            if (e.isForWantOfRoom()) {
                throw e;
            }
            return Check.failed(EGRESS, e.getMessage(), remedies.ofLaunch());
        }
    }

    private Check watching(long deadline) throws LaunchException, Refusal, ErrnoException {
        Limits limits = new Limits(Limits.NONE, CPU_MILLIS, PROCESSES, Limits.NONE, Limits.NONE);
        try (TrialRun trial = trial(deadline).under(Metering.byWatching(linux, limits))) {
            TrialRun.Result result = trial.run("--", "sh", "-c", "while :; do :; done");
            return result.hit().isPresent()
                    ? Check.ok(WATCHING, "a process that used up its time was seen and killed")
                    : Check.failed(
                            WATCHING,
                            "a process that used up its time was not seen: " + result.words(),
                            List.of("do not rely on --memory and --cpu-time here, and report it"));
        }
    }

    private Check cgroup(long deadline) throws LaunchException, Refusal, ErrnoException {
        Limits limits = new Limits(MEMORY_BYTES, Limits.NONE, PROCESSES, Limits.NONE, Limits.NONE);
        UnixPath runtime = UnixPath.of(invocation.variable(RUNTIME).orElse(new byte[0]));
        Metering metering = Metering.of(linux, limits, runtime);
        Optional<Meter> meter = metering.meter();
        if (meter.isEmpty() || !metering.fallback().isEmpty()) {
            meter.ifPresent(Meter::close);
            return Check.missing(
                    CGROUP,
                    "limits are held by watching, best effort: " + metering.fallback(),
                    remedies.ofCgroup(metering.failed()));
        }
        try (TrialRun trial = trial(deadline).under(meter.get())) {
            TrialRun.Result result = trial.run("--", "true");
            return result.succeeded()
                    ? Check.ok(CGROUP, "a contained command ran in a control group of its own")
                    : Check.failed(
                            CGROUP,
                            "in a control group of its own, " + result.words(),
                            remedies.ofCgroup(true));
        }
    }
}
