package glove.session.receipt;

import glove.policy.session.ResourceLimits;
import glove.policy.session.SandboxBackend;
import glove.policy.session.TerminationCause;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/**
 * What a session was allowed, what held it, what it used and why it ended (sheet 40, 2). Ask for
 * its {@link #complaint} before it is used. Immutable.
 *
 * @param profileDigest of what was launched
 * @param sandbox what contained it
 * @param limits it had
 * @param mechanisms that held it to them
 * @param observed what it used
 * @param ending when and why it ended
 * @param projections bundles it was shown; at most 128, by name
 * @param retained what it changed and is kept; at most 64, by name
 */
public record ResourceReceipt(
        Digest profileDigest,
        Sandbox sandbox,
        ResourceLimits limits,
        Mechanisms mechanisms,
        ObservedUse observed,
        Ending ending,
        List<ProjectionReceipt> projections,
        List<RetainedChange> retained)
        implements Receipt {
    private static final int SCHEMA_VERSION = 1;

    /** Whom to believe what was observed. */
    private static final String LOCAL = "local_enforcement";

    private static final String CLAIMED = "trusted_remote_claim";

    /**
     * What contained a session. Immutable.
     *
     * @param backend what kind
     * @param id which one, as {@code linux-production:cgroup-v2-v1}
     */
    public record Sandbox(SandboxBackend backend, Id128 id) {
        /** Whether others say what it did, so that nobody here has seen it. */
        boolean isClaimed() {
            return backend == SandboxBackend.REMOTE_LINUX_CONTAINER;
        }

        private String authority() {
            return isClaimed() ? CLAIMED : LOCAL;
        }
    }

    /** Keeps copies. */
    public ResourceReceipt {
        projections = List.copyOf(projections);
        retained = List.copyOf(retained);
    }

    @Override
    public ReceiptKind kind() {
        return ReceiptKind.RESOURCE;
    }

    @Override
    public ResourceReceipt resource() {
        return this;
    }

    @Override
    public String complaint() {
        if (sandbox.isClaimed() && !retained.isEmpty()) {
            return "has retained changes, which nothing far away can have";
        }
        if (!ProjectionReceipt.areValid(projections)) {
            return "has library projections that are too many, not sorted, not named by their "
                    + "digest or inside one another";
        }
        if (!RetainedChange.areValid(retained, limits.diskBytes())) {
            return "has retained changes that are too many, not sorted or beyond their bounds";
        }
        return ending.complaint();
    }

    /** Reads one; what is wrong is a problem, and the value of no use then. */
    static ResourceReceipt read(JsonFields fields) {
        Fixed.u8(fields, "schema_version", SCHEMA_VERSION);
        Digest profile = fields.value("profile_digest", Digest.CLASS);
        Sandbox sandbox = new Sandbox(
                fields.value("backend", SandboxBackend.CLASS),
                fields.value("backend_id", Id128.CLASS));
        Fixed.string(fields, "observation_authority", sandbox.authority());
        Fixed.bool(fields, "independently_verified", !sandbox.isClaimed());
        JsonFields limits = fields.object("configured_limits");
        ResourceLimits allowed = ResourceLimits.read(limits);
        limits.end();
        Mechanisms mechanisms = Mechanisms.read(fields.object("mechanisms"));
        ObservedUse observed = ObservedUse.read(fields.object("observed"));
        Ending ending = new Ending(
                fields.value("termination_cause", TerminationCause.CLASS),
                fields.optionalI32("exit_code"),
                fields.u64("started_at_ms"),
                fields.u64("finished_at_ms"));
        List<ProjectionReceipt> projections = new ArrayList<>();
        for (JsonFields one : fields.objects("library_projections", ProjectionReceipt.MOST)) {
            projections.add(ProjectionReceipt.read(one));
        }
        List<RetainedChange> retained = new ArrayList<>();
        for (JsonFields one : fields.objects("retained_changes", RetainedChange.MOST)) {
            retained.add(RetainedChange.read(one));
        }
        fields.end();
        ResourceReceipt read = new ResourceReceipt(
                profile, sandbox, allowed, mechanisms, observed, ending, projections, retained);
        String complaint = read.complaint();
        if (!complaint.isEmpty()) {
            fields.problems().add(new JsonProblem(fields.pointer(), complaint, ""));
        }
        return read;
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .member("profile_digest", profileDigest.hex())
                .member("backend", sandbox.backend().word())
                .member("backend_id", sandbox.id().text())
                .member("observation_authority", sandbox.authority())
                .member("independently_verified", !sandbox.isClaimed());
        out.name("configured_limits").beginObject();
        limits.write(out);
        out.endObject();
        mechanisms.write(out.name("mechanisms"));
        observed.write(out.name("observed"));
        out.member("termination_cause", ending.cause().word());
        ending.exitCode().ifPresent(code -> out.member("exit_code", code));
        out.unsigned("started_at_ms", ending.startedAtMs())
                .unsigned("finished_at_ms", ending.finishedAtMs());
        out.name("library_projections").beginArray();
        for (ProjectionReceipt one : projections) {
            one.write(out);
        }
        out.endArray().name("retained_changes").beginArray();
        for (RetainedChange one : retained) {
            one.write(out);
        }
        out.endArray().endObject();
    }

    @Override
    public Digest digest() {
        DigestWriter out = new DigestWriter("glove.resource-enforcement-receipt");
        out.u8(1)
                .u8(SCHEMA_VERSION)
                .digest(profileDigest)
                .string(sandbox.backend().word())
                .string(sandbox.id().text());
        if (sandbox.isClaimed()) {
            out.string("glove.remote-observation-authority")
                    .u8(1)
                    .string(CLAIMED)
                    .bool(false);
        }
        limits.write(out);
        mechanisms.write(out);
        observed.write(out);
        out.string(ending.cause().word());
        if (ending.exitCode().isPresent()) {
            out.present().u32(ending.exitCode().getAsInt());
        } else {
            out.absent();
        }
        out.u64(ending.startedAtMs()).u64(ending.finishedAtMs());
        if (!projections.isEmpty()) {
            out.string("glove.library-projection-receipts").u8(1).count(projections.size());
            for (ProjectionReceipt one : projections) {
                one.write(out);
            }
        }
        if (!retained.isEmpty()) {
            out.string("glove.retained-change-receipts").u8(1).count(retained.size());
            for (RetainedChange one : retained) {
                one.write(out);
            }
        }
        return out.sha256();
    }
}
