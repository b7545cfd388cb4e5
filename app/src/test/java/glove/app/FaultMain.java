package glove.app;

import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.Fault;
import glove.testkit.FaultFindings;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs a verb in this JVM again and again, each time with another system call
 * that fails, and says what went as it must not: {@code DEFECT ...} for each,
 * and {@code COVERED calls points} at the end. A JVM of its own, because a run catches signals; its
 * standard error is a file, from which what Glove says is read.
 *
 * <p>Arguments: the directory, how many ways of each call, and the words of the command line.
 */
final class FaultMain {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final String HARMLESS = "harmless-faults.txt";
    /** Below the directory: files that each run finds there as they are here, and changes. */
    static final String AGAIN = "again";

    private static final String CATCHING = "catchAll";

    private final FaultFindings findings;
    private final Path room;
    private final List<String> words;
    private final List<byte[]> environment = new ArrayList<>();
    private Leftovers leftovers;

    private FaultMain(FaultFindings findings, List<String> args) throws Exception {
        this.findings = findings;
        this.room = Path.of(args.get(0));
        this.words = args.subList(2, args.size());
        for (String variable : List.of(
                "PATH=/usr/bin:/bin", "HOME=" + room, "XDG_STATE_HOME=" + room.resolve("state"))) {
            environment.add(variable.getBytes(StandardCharsets.UTF_8));
        }
        Linux.host().prctl(PR_SET_CHILD_SUBREAPER, 1);
        must(); // loads what is loaded once
        must();
        leftovers = Leftovers.since(Leftovers.Place.here(room));
    }

    public static void main(String[] args) throws Exception {
        List<String> all = List.of(args);
        try (InputStream harmless = FaultMain.class.getResourceAsStream(HARMLESS)) {
            FaultFindings findings = new FaultFindings(Objects.requireNonNull(harmless, HARMLESS));
            FaultMain main = new FaultMain(findings, all);
            FaultLoop loop =
                    new FaultLoop(Syscalls.host()).run(main::trial, Integer.parseInt(all.get(1)));
            main.must();
            findings.covered(loop);
        }
    }

    /** Puts what a run changes back; whether the last one changed it. */
    private boolean putBack() throws IOException {
        Path again = room.resolve(AGAIN);
        if (!Files.exists(again)) {
            return true;
        }
        boolean changed = true;
        try (var files = Files.walk(again)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path there = room.resolve(again.relativize(file));
                changed &= Files.mismatch(file, there) >= 0;
                Files.write(there, Files.readAllBytes(file));
            }
        }
        return changed;
    }

    private int run(Linux linux) {
        List<byte[]> arguments = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            arguments.add(word.getBytes(StandardCharsets.UTF_8));
        }
        Invocation invocation = new Invocation(arguments, environment);
        return switch (words.get(0)) {
            case "exec" -> new ExecVerb(linux, invocation, new Alone()).run();
            case "run" -> new ExecVerb(linux, invocation, new ToolGateway(linux, invocation)).run();
            case "tools" -> new ToolsVerb(linux, invocation).run();
            case "audit" -> new AuditVerb(linux, invocation).run();
            default -> throw new IllegalStateException(words.toString());
        };
    }

    private void must() throws IOException {
        putBack();
        findings.begin(new FaultyCalls(Syscalls.host(), 0, 0));
        int heard = said().length();
        int status = run(Linux.host());
        String wrong = status + said().substring(heard);
        findings.requireNone(status == 0 ? Optional.empty() : Optional.of(wrong));
        findings.end(CATCHING);
    }

    /** What it prints is in the file standard error is. */
    private String said() throws IOException {
        return Files.readString(room.resolve("err"), StandardCharsets.UTF_8);
    }

    private void trial(FaultyCalls calls) throws Exception {
        putBack();
        findings.begin(calls);
        int heard = said().length();
        int status = -1;
        FutureTask<Integer> task = new FutureTask<>(() -> run(new Linux(calls)));
        task.run(); // here, on this thread: a run ends with the thread that began it
        try {
            status = task.get();
        } catch (ExecutionException e) {
            findings.thrown(Objects.requireNonNullElse(e.getCause(), e));
        }
        findings.end(CATCHING);
        for (String left : leftovers.found()) {
            findings.defect("leaves " + left);
            leftovers = Leftovers.since(Leftovers.Place.here(room)); // told once
        }
        if (!putBack() && status == 0) {
            findings.defect("says that it is done, and it is not");
        }
        // Behind what an agent showed on a terminal, a line begins.
        judge(calls.fault(), status, said().substring(heard).strip());
    }

    private void judge(Optional<Fault> fault, int status, String said) {
        if (fault.isEmpty() || status == -1) {
            return;
        }
        Fault f = fault.get();
        boolean expected = findings.isHarmless(f);
        if (status == 0) {
            if (!f.isToBeMended() && !expected) {
                findings.defect("is not told; said '" + said + "'");
            }
            return;
        }
        if (f.isToBeMended()) {
            findings.defect("fails by it: " + status + " '" + said + "'");
            return;
        }
        String verb = "glove " + words.get(0) + ": ";
        long sentences = said.lines().filter(line -> line.startsWith(verb)).count();
        boolean told = said.startsWith(verb) && said.contains(f.symbol());
        boolean trace = said.contains("\tat ") || said.contains("Exception");
        boolean launches = words.get(0).equals("exec") || words.get(0).equals("run");
        boolean right = launches ? status == ExecVerb.EXIT_CANNOT_LAUNCH : status > 0;
        if (!right || !told || trace || sentences > 2) {
            if (!expected || trace) {
                findings.defect("tells it badly: " + status + " '" + said + "'");
            }
        }
    }
}
