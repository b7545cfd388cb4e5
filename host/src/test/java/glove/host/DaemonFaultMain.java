package glove.host;

import glove.session.receipt.Anchor;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Fault;
import glove.testkit.FaultFindings;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts {@code gloved} in this JVM again and again where a killed one left its socket, asks it for
 * one thing of each kind and has it end by a signal, each time with another system call that fails;
 * and then once more with none. Says what went as it must not, as {@link FaultFindings} does. A JVM
 * of its own, because a daemon catches signals; its standard error is a file.
 *
 * <p>Arguments: the directory, the file, and how many ways of each call.
 */
final class DaemonFaultMain {
    private static final String HARMLESS = "harmless-daemon-faults.txt";
    private static final int SIGTERM = 15;
    private static final int TRIES = 3;

    /** For an answer that a fault may have lost. */
    private static final long LOST_MS = 20_000;

    private static final int OTHERS = 077;

    private final FaultFindings findings;
    private final Path directory;
    private final Path err;
    private final Path socket;
    private final NoticeSocket manager;
    private ControlClient client; // of the present start
    private JsonValue plan; // of the present attempt and the start after it
    private final Set<String> usual = new TreeSet<>();
    private Leftovers leftovers;

    /** What clients were told. Confined to the client's thread, and then to the main one. */
    private static final class Told {
        private final Map<String, String> answers = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();
        private List<String> notices = List.of(); // of the manager
        private int status = -1;
        private String said = "";

        boolean isAll() {
            return answers.size() == 4
                    && failures.isEmpty()
                    && status == 0
                    && notices.equals(List.of("READY=1", "STOPPING=1"));
        }

        @Override
        public String toString() {
            return "status " + status + ", answers to " + answers.keySet() + ", failures "
                    + failures + ", notices " + notices + ", said '" + said + "'";
        }
    }

    private DaemonFaultMain(FaultFindings findings, Path directory, Path err) throws Exception {
        this.findings = findings;
        this.directory = directory;
        this.err = err;
        this.socket = directory.resolve("runtime").resolve(RuntimeDirectory.SOCKET);
        ControlRoom.prepare(directory);
        this.manager = NoticeSocket.bind(directory.resolve("notify"));
        this.client = client(ControlRoom.PATIENCE_MS);
        this.plan = plan();
        must(); // loads what is loaded once
        must();
        leftovers = Leftovers.since(place());
        try (var files = Files.walk(directory)) {
            files.forEach(file -> usual.add("name " + file));
        }
    }

    private Leftovers.Place place() {
        return Leftovers.Place.withoutGroups(directory);
    }

    public static void main(String[] args) throws Exception {
        Linux.host().umask(OTHERS);
        try (InputStream harmless = DaemonFaultMain.class.getResourceAsStream(HARMLESS)) {
            FaultFindings findings = new FaultFindings(Objects.requireNonNull(harmless, HARMLESS));
            DaemonFaultMain main =
                    new DaemonFaultMain(findings, Path.of(args[0]), Path.of(args[1]));
            FaultLoop loop =
                    new FaultLoop(Syscalls.host()).run(main::trial, Integer.parseInt(args[2]));
            main.must();
            findings.covered(loop);
        }
    }

    private void must() throws Exception {
        FaultyCalls none = new FaultyCalls(Syscalls.host(), 0, 0);
        removeAll();
        Told told = serve(none, Linux.host(), ControlRoom.PATIENCE_MS);
        findings.requireNone(told.isAll() ? Optional.empty() : Optional.of(told.toString()));
    }

    private ControlClient client(long patienceMs) {
        return new ControlClient(Linux.host(), UnixPath.of(directory + "/runtime"), patienceMs);
    }

    /** In time, however long the loop takes. */
    private static JsonValue plan() throws JsonException {
        byte[] text = ControlRoom.plan().getBytes(StandardCharsets.UTF_8);
        return JsonText.value(text, JsonLimits.FILE).root();
    }

    /** As it is before the first start, but for the socket of one that was killed. */
    private void removeAll() throws Exception {
        plan = plan();
        for (String name : List.of("runtime", "state")) {
            try (var files = Files.list(directory.resolve(name))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd here = Linux.host().open(UnixPath.of(directory + "/runtime"), flags, 0)) {
            Linux.host()
                    .listenUnix(here, UnixPath.of(RuntimeDirectory.SOCKET), 1)
                    .close();
        }
    }

    private Told serve(FaultyCalls calls, Linux linux, long patienceMs) throws Exception {
        findings.begin(calls);
        client = client(patienceMs);
        Told told = new Told();
        int heard = said().length();
        byte[] config = (directory + "/config.json").getBytes(StandardCharsets.UTF_8);
        DaemonOptions options =
                DaemonOptions.parse(List.of("--config".getBytes(StandardCharsets.UTF_8), config));
        FutureTask<Integer> daemon = new FutureTask<>(() -> Gloved.serve(
                linux,
                options,
                Optional.of(directory.resolve("notify").toString()),
                status -> findings.wakePipes(SIGTERM)));
        Thread visitor = new Thread(() -> visit(daemon, told), "visitor");
        visitor.start();
        daemon.run();
        visitor.join();
        try {
            told.status = daemon.get();
        } catch (java.util.concurrent.ExecutionException e) {
            findings.thrown(Objects.requireNonNullElse(e.getCause(), e));
        }
        // A worker that is in a call of the kernel still may write to its eventfd at the end.
        findings.end("catchSignals", "eventfd");
        told.said = said().substring(heard);
        told.notices = manager.received();
        return told;
    }

    private String said() throws Exception {
        return Files.readString(err, StandardCharsets.UTF_8);
    }

    /** All that clients ask, and then the signal. */
    private void visit(FutureTask<Integer> daemon, Told told) {
        try {
            ask(
                    daemon,
                    told,
                    "create_session",
                    out -> out.beginObject()
                            .member("session_id", "s")
                            .member("controller_plan_digest", ControlRoom.CONTROLLER)
                            .name("plan")
                            .value(plan)
                            .endObject());
            ask(daemon, told, "create_path_exposure", this::exposure);
            ask(daemon, told, "verify_audit_chain", out -> {
                out.beginObject().name("sage_anchor");
                Anchor.genesis(new Digest(ControlRoom.KEY_ID)).write(out);
                out.member("limit", 7).endObject();
            });
            ask(
                    daemon,
                    told,
                    "session_status",
                    out -> out.beginObject().member("session_id", "s").endObject());
            if (!daemon.isDone()) {
                Linux.host().kill(Linux.host().getpid(), SIGTERM);
            }
        } catch (ErrnoException | InterruptedException e) {
            findings.thrown(e);
        }
    }

    private void exposure(JsonWriter out) {
        out.beginObject()
                .member("exposure_id", "e")
                .member("root_id", "projects")
                .member("host_path", directory + "/projects/site")
                .member("display_label", "A label")
                .name("allowed_modes")
                .beginArray()
                .beginObject()
                .member("access", "read")
                .member("materialization", "bind")
                .member("max_bytes", 0)
                .member("cleanup_policy", "retain")
                .endObject()
                .endArray()
                .member("ttl_secs", 3600)
                .name("allowed_runtime_template_ids")
                .beginArray()
                .value("t")
                .endArray()
                .endObject();
    }

    /** A few times, as a controller does; each failure is kept. */
    private void ask(
            FutureTask<Integer> daemon, Told told, String method, Consumer<JsonWriter> payload)
            throws InterruptedException {
        for (int failed = 0; failed < TRIES && !daemon.isDone(); ) {
            try {
                JsonValue answer = method.startsWith("create")
                        ? client.change(method, new Id128("k-" + method.replace('_', '-')), payload)
                        : client.ask(method, payload);
                told.answers.put(method, answer.toJson());
                return;
            } catch (ClientException e) {
                if (e.kind() == ClientException.Kind.NOT_RUNNING) { // not yet, or no more
                    TimeUnit.MILLISECONDS.sleep(1);
                    continue;
                }
                told.failures.add(method + ": " + e.getMessage());
                failed++;
            }
        }
    }

    private void trial(FaultyCalls calls) throws Exception {
        removeAll();
        Object stale = Files.getAttribute(socket, "unix:ino");
        Told told = serve(calls, new Linux(calls), LOST_MS);
        boolean harmless = calls.fault().filter(findings::isHarmless).isPresent();
        if (Files.exists(socket)
                && (harmless || Files.getAttribute(socket, "unix:ino").equals(stale))) {
            Files.delete(socket); // as the next daemon does; what is left is waited for
        }
        List<String> left = new ArrayList<>(leftovers.found());
        left.removeAll(usual);
        left.removeIf(one -> one.endsWith("[eventfd]"));
        left.forEach(one -> findings.defect("leaves " + one));
        if (!left.isEmpty()) {
            leftovers = Leftovers.since(place()); // told once
        }
        calls.fault().ifPresent(fault -> judge(fault, told));
        Told next = serve(calls, Linux.host(), ControlRoom.PATIENCE_MS);
        if (!next.isAll()) {
            findings.defect("the next start: " + next + " after " + told);
        }
        for (Map.Entry<String, String> answer : told.answers.entrySet()) {
            if (!answer.getValue().equals(next.answers.get(answer.getKey()))) {
                findings.defect("was answered " + answer + ", and then " + next);
            }
        }
    }

    private void judge(Fault fault, Told told) {
        boolean expected = findings.isHarmless(fault);
        if (told.said.contains("\tat ") || told.said.contains("Exception")) {
            findings.defect("tells it badly: " + told);
        } else if (fault.isToBeMended()) {
            if (!told.isAll()) {
                findings.defect("fails by it: " + told);
            }
        } else if (told.status == 0) {
            boolean poisoned = told.said.contains("nothing more is read from it or written");
            if (told.answers.size() < 4 && !poisoned && !expected) {
                findings.defect("does not recover: " + told);
            }
            if (told.notices.size() < 2 && !told.said.contains("manager_not_told")) {
                findings.defect("leaves its manager untold: " + told);
            }
            boolean counted = told.said.contains("connections_dropped");
            if (!told.said.contains(fault.symbol()) && !counted && !expected) {
                findings.defect("is not told: " + told);
            }
        } else {
            long errors = told.said
                    .lines()
                    .filter(line -> line.startsWith("gloved: error "))
                    .count();
            if ((errors != 1 || !told.said.contains(fault.symbol())) && !expected) {
                findings.defect("tells its end badly: " + told);
            }
        }
    }
}
