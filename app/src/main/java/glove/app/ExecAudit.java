package glove.app;

import glove.journal.AuditEvent;
import glove.journal.AuditException;
import glove.journal.AuditLog;
import glove.sandbox.Canonical;
import glove.sandbox.Exit;
import glove.sandbox.Guard;
import glove.sandbox.Profile;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Optional;

/**
 * The audit lines of one {@code exec}: {@code agent_launch} before anything starts, {@code
 * agent_exit} after the end, and what egress records in between. A line that cannot be written
 * stops the run, or fails it. Without {@code --audit-log} an offline run writes nothing, and one
 * with a way out to a file in the state directory.
 */
final class ExecAudit implements AutoCloseable {
    static final String DIRECTORY = "audit";
    static final String FILE = "audit.jsonl";

    private final Optional<AuditLog> log;
    private final Profile profile;

    private ExecAudit(Optional<AuditLog> log, Profile profile) {
        this.log = log;
        this.profile = profile;
    }

    /**
     * Opens the log.
     *
     * @param needed whether there has to be one
     */
    static ExecAudit open(
            Linux linux,
            Invocation invocation,
            Optional<UnixPath> asked,
            Profile profile,
            boolean needed)
            throws Refusal, AuditException, ErrnoException {
        if (asked.isEmpty() && !needed) {
            return new ExecAudit(Optional.empty(), profile);
        }
        UnixPath path;
        if (asked.isPresent()) {
            path = Canonical.ofNewFile(linux, asked.get(), "--audit-log");
        } else {
            try (OwnedFd directory = StateDirectory.open(linux, invocation, DIRECTORY)) {
                path = linux.pathOf(directory).resolve(FILE);
            }
        }
        if (profile.shows(path) && (asked.isPresent() || !isHidden(profile, path))) {
            throw new Refusal(
                    (asked.isPresent() ? "--audit-log '" : "the audit log '") + path
                            + "' lies inside a granted path, where the agent could change or read "
                            + "it",
                    "--audit-log FILE, outside every grant");
        }
        return new ExecAudit(Optional.of(AuditLog.open(linux, path)), profile);
    }

    /** Glove's own directories are hidden where a grant would show them; not in a kept home. */
    private static boolean isHidden(Profile profile, UnixPath path) {
        Optional<Guard> guard = profile.guards().over(path);
        return guard.isPresent()
                && guard.get().kind() == Guard.Kind.HIDDEN
                && !profile.home().shows(path);
    }

    /** The log, if there is one; stays this object's. */
    Optional<AuditLog> log() {
        return log;
    }

    void launching() throws AuditException {
        if (log.isPresent()) {
            ByteArrayOutputStream arguments = new ByteArrayOutputStream();
            for (byte[] argument : profile.argv()) {
                arguments.write(argument, 0, argument.length);
                arguments.write(0);
            }
            String digest = "sha256:" + AuditLog.sha256(arguments.toByteArray());
            String program = UnixPath.of(profile.argv().get(0)).toString();
            append(log.get(), "agent_launch", program, digest, "ok", "");
        }
    }

    void exited(Exit exit) throws AuditException {
        ended(
                exit.shellStatus(),
                exit instanceof Exit.Signaled signaled ? "signal " + signaled.signal() : "");
    }

    /** Glove ended the run, or never got so far. */
    void ended(Verdict verdict) throws AuditException {
        ended(verdict.exitStatus(), verdict.sentence());
    }

    private void ended(int status, String error) throws AuditException {
        if (log.isPresent()) {
            append(
                    log.get(),
                    "agent_exit",
                    Integer.toString(status),
                    "",
                    status == 0 ? "ok" : "execution_error",
                    error);
        }
    }

    private static void append(
            AuditLog log, String action, String tool, String arguments, String status, String error)
            throws AuditException {
        Instant now = Instant.now();
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        log.append(new AuditEvent(action, tool, arguments, status, error, nanos, 0));
    }

    @Override
    public void close() {
        if (log.isPresent()) {
            log.get().close();
        }
    }
}
