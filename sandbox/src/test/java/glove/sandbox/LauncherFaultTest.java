package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.FaultTable;
import glove.testkit.Identity;
import glove.testkit.Lanes;
import glove.testkit.Leftovers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Each system call of the launcher's three processes fails once, by strace(1), on the plan of a
 * whole profile: the launch fails and is told, nothing is left, and the next one works. What the
 * program itself calls once it runs is its own business.
 */
@Tag("privileged")
@Timeout(1800)
final class LauncherFaultTest {
    private static final String STRACE = "/usr/bin/strace";
    private static final int CALLS_MAX = 400;
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    /** Calls and how they fail; the n-th in turn. */
    private static final Map<String, List<String>> CALLS = new TreeMap<>(Map.ofEntries(
            Map.entry("fcntl", List.of("EINVAL")),
            Map.entry("close_range", List.of("ENOSYS", "EPERM")),
            Map.entry("pipe2", List.of("EMFILE", "ENFILE")),
            Map.entry("signalfd4", List.of("ENOMEM", "EMFILE")),
            Map.entry("fstat", List.of("EIO")),
            Map.entry("mmap", List.of("ENOMEM")),
            Map.entry("openat", List.of("EMFILE", "EACCES", "ENOMEM")),
            Map.entry("open", List.of("EACCES", "EMFILE")),
            Map.entry("openat2", List.of("ENOSYS", "EMFILE")),
            Map.entry("read", List.of("EIO")),
            Map.entry("write", List.of("EIO", "ENOSPC")),
            Map.entry("sendmsg", List.of("ENOBUFS", "ENOMEM")),
            Map.entry("statfs", List.of("EIO")),
            Map.entry("statx", List.of("EIO")),
            Map.entry("mkdirat", List.of("ENOSPC", "EROFS")),
            Map.entry("symlinkat", List.of("ENOSPC")),
            Map.entry("fchmod", List.of("EPERM")),
            Map.entry("fchown", List.of("EPERM")),
            Map.entry("open_tree", List.of("ENOSYS", "EPERM", "EMFILE")),
            Map.entry("move_mount", List.of("ENOSYS", "EPERM")),
            Map.entry("mount_setattr", List.of("EPERM", "ENOSYS")),
            Map.entry("fsopen", List.of("EPERM", "ENODEV")),
            Map.entry("fsconfig", List.of("ENOMEM", "EPERM")),
            Map.entry("fsmount", List.of("EPERM", "ENOSPC")),
            Map.entry("pivot_root", List.of("EPERM")),
            Map.entry("umount2", List.of("EPERM")),
            Map.entry("chdir", List.of("EACCES")),
            Map.entry("fchdir", List.of("EACCES")),
            Map.entry("unshare", List.of("EPERM", "ENOSPC")),
            Map.entry("setns", List.of("EPERM")),
            Map.entry("setsid", List.of("EPERM")),
            Map.entry("dup3", List.of("EMFILE")),
            Map.entry("ioctl", List.of("EIO")),
            Map.entry("socket", List.of("EMFILE", "EAFNOSUPPORT")),
            Map.entry("bind", List.of("EADDRINUSE", "EACCES")),
            Map.entry("listen", List.of("EADDRINUSE")),
            Map.entry("sethostname", List.of("EPERM")),
            Map.entry("setdomainname", List.of("EPERM")),
            Map.entry("setresuid", List.of("EPERM", "EAGAIN")),
            Map.entry("setresgid", List.of("EPERM")),
            Map.entry("setgroups", List.of("EPERM")),
            Map.entry("prlimit64", List.of("EPERM")),
            Map.entry("prctl", List.of("EPERM")),
            Map.entry("capset", List.of("EPERM")),
            Map.entry("keyctl", List.of("ENOSYS", "EDQUOT")),
            Map.entry("landlock_create_ruleset", List.of("ENOMEM")),
            Map.entry("landlock_add_rule", List.of("ENOMEM")),
            Map.entry("landlock_restrict_self", List.of("EPERM", "E2BIG")),
            Map.entry("seccomp", List.of("ENOMEM", "EPERM")),
            Map.entry("clone", List.of("EAGAIN", "ENOMEM", "ENOSPC")),
            Map.entry("pidfd_open", List.of("EMFILE", "ENOSYS")),
            Map.entry("poll", List.of("ENOMEM", "EINTR")),
            Map.entry("kill", List.of("EPERM")),
            Map.entry("wait4", List.of("EINTR")),
            Map.entry("rt_sigprocmask", List.of("EINVAL")),
            Map.entry("execveat", List.of("ENOMEM", "EACCES"))));

    /** Outcomes that do not tell the errno, and why that is right. */
    private static final Map<String, String> HARMLESS = Map.of(
            "fcntl",
                    "Exited[code=7]; the launcher refused the plan at step -1: Glove and its"
                            + " launcher do not fit together; build again", // what has no seals is
            // no plan
            "fstat",
                    "the launcher refused the plan at step -1: Glove and its launcher do not fit"
                            + " together; build again", // nor is what has no size
            "read", "Exited[code=7]", // of a signal's description, which only wakes process 1
            "write", "the sandbox was killed from outside", // the channel that tells is what failed
            "kill", "Exited[code=7]"); // nobody is left to be killed

    private final Linux linux = Linux.host();

    @TempDir
    Path directory;

    /** What one call's failure did. */
    private record Attempt(String call, int nth, String error, String outcome, boolean hit) {}

    @Test
    void whicheverCallFailsItIsToldAndNothingIsLeft() throws Exception {
        Lanes.require("privileged", Files.isExecutable(Path.of(STRACE)), "strace is not installed");
        CProgram.requireCompiler("gcc");

        List<String> wrong = new ArrayList<>();
        int points = attempts(wrong);

        assertThat(wrong).isEmpty();
        FaultTable.require("the launcher's three processes, by strace", CALLS.size(), points);
    }

    /** It asked to die with its parent too late; the status socket that it holds would stay open. */
    @Test
    void theProcessOfAnIdmapEndsWithAParentThatDiedFirst() throws Exception {
        Lanes.require("privileged", Identity.isRoot(), "only root has idmapped grants");
        Lanes.require("privileged", Files.isExecutable(Path.of(STRACE)), "strace is not installed");
        CProgram.requireCompiler("gcc");
        Path granted = Files.createDirectories(directory.resolve("granted"));
        GrantRequest grant =
                new GrantRequest(UnixPath.of(granted.toString()), Access.WRITE, "--write");
        Profile profile = TestProfiles.shell(linux, "exit 7", List.of(grant));
        try (Launcher launcher = Launcher.open(linux, UnixPath.of(traced().toString()))) {
            LaunchPlan plan = new Sandbox(linux, launcher).plan(profile);
            int delay = 300_000;
            while (!dies(launcher, plan, delay)) {
                delay *= 2; // a busy machine's parent took longer to die
                assertThat(delay).isLessThan(100_000_000);
            }
        }
    }

    /** Whether the parent dies before its process asks, so many microseconds after its start. */
    private boolean dies(Launcher launcher, LaunchPlan plan, int delay) throws Exception {
        Path trace = arguments(
                "kill,prctl,exit_group",
                "kill:error=EPERM:when=1",
                "prctl:delay_enter=" + delay + ":when=1");

        assertThat(run(launcher, plan)).contains("EPERM");

        String calls = Files.readString(trace, StandardCharsets.ISO_8859_1);
        assertThat(calls).contains("(INJECTED)");
        int parent = calls.indexOf("exit_group");
        int asked = calls.indexOf("prctl", parent);
        return parent >= 0 && asked >= 0 && calls.indexOf("exit_group", asked) >= 0;
    }

    /** All of them; how many. */
    int attempts(List<String> wrong) throws Exception {
        Path granted = directory.resolve("granted");
        Path inside = Files.createDirectories(granted.resolve("inside"));
        List<GrantRequest> grants = List.of(
                new GrantRequest(UnixPath.of(granted.toString()), Access.WRITE, "--write"),
                new GrantRequest(UnixPath.of(inside.toString()), Access.READ, "--read"));
        Profile profile =
                TestProfiles.withLoopback(linux, TestProfiles.shell(linux, "exit 7", grants));
        int points = 0;
        try (Launcher launcher = Launcher.open(linux, UnixPath.of(traced().toString()))) {
            LaunchPlan plan = new Sandbox(linux, launcher).plan(profile);
            arguments("none");
            run(launcher, plan); // loads what is loaded once
            Leftovers leftovers = Leftovers.since(Leftovers.Place.withoutGroups(granted));
            for (Map.Entry<String, List<String>> call : CALLS.entrySet()) {
                boolean hit = true;
                for (int nth = 1; hit && nth < CALLS_MAX; nth++) {
                    List<String> errors = call.getValue();
                    String error = errors.get(nth % errors.size());
                    Attempt attempt = attempt(launcher, plan, call.getKey(), nth, error);
                    hit = attempt.hit();
                    points += hit ? 1 : 0;
                    for (String left : leftovers.found()) {
                        wrong.add(attempt + " leaves " + left);
                    }
                    if (hit && !isRight(attempt)) {
                        wrong.add(attempt.toString());
                    }
                }
            }
            arguments("none");
            assertThat(run(launcher, plan)).isEqualTo("Exited[code=7]");
        }
        return points;
    }

    private static boolean isRight(Attempt attempt) {
        return attempt.outcome().contains(attempt.error())
                || (attempt.error().equals("EINTR") && attempt.outcome().equals("Exited[code=7]"))
                || HARMLESS.getOrDefault(attempt.call(), "-").contains(attempt.outcome());
    }

    private Attempt attempt(Launcher launcher, LaunchPlan plan, String call, int nth, String error)
            throws IOException {
        // In place of what fails strace makes a call without a number, by which the filters of
        // process 1 and of the agent would kill; they allow this one.
        String injection = call + ":error=" + error + ":syscall=getpid:when=" + nth;
        Path trace = arguments(call, injection);
        FdLeaks.watch();
        String outcome = run(launcher, plan);
        FdLeaks.assertNone();
        return new Attempt(call, nth, error, outcome, isHit(trace));
    }

    /** Whether it happened in a process that had not become the program yet. */
    private static boolean isHit(Path trace) throws IOException {
        Set<String> programs = new HashSet<>();
        for (String line : Files.readAllLines(trace, StandardCharsets.ISO_8859_1)) {
            String pid = line.substring(0, line.indexOf(' '));
            if (line.contains("(INJECTED)") && !programs.contains(pid)) {
                return true;
            }
            if (line.contains("execveat(")) {
                programs.add(pid);
            }
        }
        return false;
    }

    private String run(Launcher launcher, LaunchPlan plan) {
        try (RunningSandbox running = launcher.start(plan, StandardStreams.inherited())) {
            running.setDeadline(System.nanoTime() + PATIENCE_NANOS);
            running.awaitCreated();
            running.release();
            return running.await().toString();
        } catch (LaunchException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** What strace is told; where it writes. */
    private Path arguments(String calls, String... injections) throws IOException {
        Path trace = directory.resolve("trace");
        Files.deleteIfExists(trace);
        Files.createFile(trace);
        List<String> words = new ArrayList<>(
                List.of("strace", "-f", "--seccomp-bpf", "-qq", "-s", "0", "-o", trace.toString()));
        words.addAll(List.of("-e", "signal=none", "-e"));
        words.add("trace=execveat" + (injections.length == 0 ? "" : "," + calls));
        for (String injection : injections) {
            words.addAll(List.of("-e", "inject=" + injection));
        }
        words.add(System.getProperty("glove.native") + "/launcher");
        Files.writeString(directory.resolve("words"), String.join("\0", words) + "\0");
        return trace;
    }

    /** A program in place of the launcher that runs it under strace. */
    private Path traced() throws IOException, InterruptedException {
        Path source = directory.resolve("traced.c");
        Files.writeString(
                source, """
                #include <fcntl.h>
                #include <string.h>
                #include <unistd.h>
                int main(void) {
                    static char words[8192];
                    char *argv[64] = {0};
                    int fd = open("WORDS", O_RDONLY | O_CLOEXEC);
                    long length = read(fd, words, sizeof words);
                    int count = 0;
                    for (long at = 0; at < length && count < 63; at += (long)strlen(words + at) + 1) {
                        argv[count++] = words + at;
                    }
                    close(fd);
                    char *envp[] = {"PATH=/usr/bin:/bin", 0};
                    execve("STRACE", argv, envp);
                    return 1;
                }
                """.replace("WORDS", directory.resolve("words").toString())
                        .replace("STRACE", STRACE));
        return CProgram.compile(directory, source, directory.resolve("traced"));
    }
}
