package glove.session;

import glove.journal.AppendLogException;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A store in a directory of its own, with checks that say what a test sets. A plan is accepted when
 * it is the canonical text with or without spaces behind colons, until it expires.
 */
final class Room {
    static final String CONTROLLER = "a".repeat(64);
    static final String PROFILE = "e".repeat(64);
    static final long EXPIRES = 61_000;
    static final Resources.Cgroup CGROUP = new Resources.Cgroup(1, 42, 24242);
    static final Resources.Filesystem FILESYSTEM = new Resources.Filesystem(
            1, 2_097_152, List.of(new Resources.Partition("workspace", 1_048_576)));
    static final Resources.Local LOCAL = new Resources.Local(CGROUP, FILESYSTEM);
    static final ProcessIdentity PROCESS = new ProcessIdentity(
            1, 4242, "12345678-1234-1234-1234-123456789abc", 14242, 42, 24242, "d".repeat(64));
    static final Execution RUNNING = new Execution.Local(PROCESS, FILESYSTEM);
    static final Resources.Managed MANAGED =
            new Resources.Managed(1, "apple_container", "instance-3", "f".repeat(64));

    /** The plan of most tests. */
    static final String PLAN = plan("codex-safe");

    final Path directory;
    final Path file;
    volatile LaunchCheck.Eligibility eligibility = LaunchCheck.Eligibility.LAUNCHABLE;
    volatile boolean launchable = true;
    volatile ReceiptCheck.Worth worth = ReceiptCheck.Worth.DURABLE;
    volatile long bytesMax = SessionRegistry.BYTES_MAX_DEFAULT;
    volatile long recordsMax = SessionRegistry.RECORDS_MAX;

    Room(Path parent) throws IOException {
        directory = Files.createDirectory(parent.resolve("room"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        file = directory.resolve("sessions");
    }

    static String plan(String template) {
        return "{\"schema_version\":1,\"runtime_id\":\"codex\",\"runtime_template_id\":\""
                + template
                + "\",\"adapter_command_digest\":\"0129a3a97cacbef9bd8a2df44ea3b1e01ae8dad706cbe0c2"
                + "7c2237881b5107e7\",\"sandbox_backend\":\"linux_production\","
                + "\"egress_policy_id\":\"no-network\",\"tool_policy_id\":\"sage-readonly\","
                + "\"path_grants\":[{\"alias\":\"workspace\",\"access\":\"ephemeral_write\","
                + "\"materialization\":\"copy\",\"max_bytes\":1048576,\"ttl_secs\":60,"
                + "\"cleanup_policy\":\"remove\"}],\"library_projections\":[],"
                + "\"secret_handles\":[\"codex-token\"],\"limits\":{\"cpu_time_ms\":1000,"
                + "\"memory_bytes\":67108864,\"pids\":16,\"wall_time_ms\":2000,"
                + "\"disk_bytes\":2097152,\"terminal_output_bytes\":1048576},"
                + "\"policy_revision\":7,\"expires_at_ms\":61000}";
    }

    SessionRegistry open() throws AppendLogException {
        return open(Syscalls.host());
    }

    SessionRegistry open(Syscalls kernel) throws AppendLogException {
        SessionRegistry.Store store =
                new SessionRegistry.Store(UnixPath.of(file.toString()), bytesMax, recordsMax);
        return SessionRegistry.open(
                new Linux(kernel),
                store,
                new SessionRegistry.Checks(this::check, this::launch, envelope -> worth));
    }

    private CanonicalPlan check(byte[] plan, long nowMs) throws PlanRefusedException {
        String text = new String(plan, StandardCharsets.UTF_8).replace(": ", ":");
        int at = text.lastIndexOf("\"expires_at_ms\":");
        if (at < 0) {
            throw new PlanRefusedException("it is no plan");
        }
        String expires = text.substring(at + 16, text.length() - 1);
        if (nowMs >= Long.parseLong(expires)) {
            throw new PlanRefusedException("it has expired");
        }
        return CanonicalPlan.of(text, 7, Long.parseLong(expires));
    }

    private LaunchCheck.Eligibility launch(AcceptedPlan plan, long nowMs)
            throws PlanRefusedException {
        if (!launchable) {
            throw new PlanRefusedException("its program is gone");
        }
        return eligibility;
    }

    static RegistryCall call(String key, long nowMs) {
        return new RegistryCall(new Id128(key), nowMs);
    }

    static RegistryReply create(SessionRegistry registry, String id, String key, long nowMs) {
        byte[] plan = PLAN.getBytes(StandardCharsets.UTF_8);
        return registry.create(new Id128(id), new Digest(CONTROLLER), plan, call(key, nowMs));
    }

    static StartAuthorization authorization(String id, long approvedMs, long expiresMs) {
        return new StartAuthorization(
                new Id128("approval-" + id),
                new Id128(id),
                new Digest(CONTROLLER),
                RecordChain.contentDigest(PLAN),
                approvedMs,
                expiresMs);
    }

    static SessionIds ids(String id) {
        return new SessionIds(
                new Id128(id),
                new Digest(CONTROLLER),
                RecordChain.contentDigest(PLAN),
                new Id128("approval-" + id),
                new Digest(PROFILE));
    }

    static ReceiptReservation reserved(String id) {
        return new ReceiptReservation(new Id128(id), new Digest(CONTROLLER), new Digest(PROFILE));
    }

    static TerminalEnvelope envelope(String id, long startedMs, long finishedMs) {
        ReceiptLink receipt = new ReceiptLink(
                startedMs,
                "b97d6f8d2ae381761ea00f360c230cf75e8de5fdc6a8d25624a5c36b97f0d475",
                1,
                "264a64757a9b6061cb9ca1479fed62bda0705dfe2a4ec01729f58d1baecb14aa",
                "0".repeat(64),
                "6a1ebfa6132ba7fdd0e91e8bfeb37e910897cae3a5b1ab104c437152c9bf2d84",
                "exited",
                0);
        return new TerminalEnvelope(
                false,
                new Id128(id),
                new Digest(CONTROLLER),
                new Digest(PROFILE),
                receipt,
                finishedMs);
    }

    /** What a store holds, record by record. */
    static List<byte[]> payloads(byte[] store) {
        return StoreBytes.payloads(store, SessionRegistry.HEADER.length());
    }

    /** Puts a store of such records in the place of the file. */
    void write(List<byte[]> payloads) throws IOException {
        write(StoreBytes.of(SessionRegistry.HEADER, payloads));
    }

    void write(byte[] store) throws IOException {
        StoreBytes.write(file, store);
    }
}
