package glove.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;

import java.nio.charset.StandardCharsets;

/** The digest over a record's values that chains it to the one before. Stateless. */
final class RecordHash {
    private RecordHash() {}

    /** Of all but {@link RecordHead#thisHash}. */
    static Digest of(StoredRecord record) {
        String plan = record.session().plan().canonicalJson();
        return of(record, plan.getBytes(StandardCharsets.UTF_8));
    }

    /** The same for who has the bytes of the plan already: they may be many. */
    static Digest of(StoredRecord record, byte[] planBytes) {
        RecordHead head = record.head();
        SessionRecord session = record.session();
        AcceptedPlan plan = session.plan();
        Authorization authorization = session.authorization();
        DigestWriter out = new DigestWriter("glove.session-registry.record")
                .u8(SessionRecordJson.SCHEMA_VERSION)
                .u64(head.sequence())
                .string(head.operation().word())
                .string(head.idempotencyKey())
                .string(plan.sessionId())
                .string(plan.controllerPlanDigest())
                .string(head.requestDigest())
                .string(plan.contentDigest())
                .string(session.state().word())
                .string(authorization.id())
                .u64(plan.policyRevision())
                .u64(plan.expiresAtMs())
                .u64(plan.createdAtMs())
                .u64(authorization.authorizedAtMs())
                .u64(authorization.expiresAtMs());
        course(session, out);
        return out.bytes(planBytes).string(head.previousHash()).sha256();
    }

    /** Only what the state has. */
    private static void course(SessionRecord session, DigestWriter out) {
        SessionState state = session.state();
        SessionTimes times = session.times();
        if (state.isFrom(SessionState.STARTING)) {
            out.string(session.profileDigest()).u64(times.startingAtMs());
            resources(session.resources(), out);
        }
        if (state.isFrom(SessionState.RUNNING)) {
            out.u64(times.runningAtMs());
            process(session.process(), out);
        }
        if (state.isFrom(SessionState.STOPPING)) {
            out.u64(times.stoppingAtMs());
        }
        if (state == SessionState.FAILED) {
            out.string(session.failureCode()).u64(times.finishedAtMs());
        }
        if (state == SessionState.EXITED) {
            ReceiptLink receipt = session.receipt();
            out.string(receipt.keyId())
                    .string(receipt.digest())
                    .string(receipt.previousHmac())
                    .string(receipt.hmac())
                    .string(receipt.cause())
                    .u64(receipt.sequence())
                    .u64(receipt.startedAtMs())
                    .u64(times.finishedAtMs());
            exitCode(receipt.exitCode(), out);
        }
    }

    static void exitCode(int code, DigestWriter out) {
        if (code == ReceiptLink.NO_EXIT_CODE) {
            out.absent();
        } else {
            out.present().u32(code);
        }
    }

    /** All three of them, each with the mark of what is not there. */
    static void resources(Resources resources, DigestWriter out) {
        switch (resources) {
            case Resources.None none -> out.absent().absent();
            case Resources.Local local -> {
                cgroup(local.cgroup(), out);
                filesystem(local.filesystem(), out);
            }
            case Resources.Managed managed -> {
                out.absent().absent();
                managed(managed, out);
            }
        }
    }

    static void cgroup(Resources.Cgroup cgroup, DigestWriter out) {
        out.present().u8(cgroup.schemaVersion()).u64(cgroup.device()).u64(cgroup.inode());
    }

    static void filesystem(Resources.Filesystem filesystem, DigestWriter out) {
        out.present().u8(filesystem.schemaVersion()).u64(filesystem.diskLimitBytes());
        out.count(filesystem.partitions().size());
        for (Resources.Partition partition : filesystem.partitions()) {
            out.string(partition.alias()).u64(partition.quotaBytes());
        }
    }

    static void managed(Resources.Managed managed, DigestWriter out) {
        out.present()
                .string("glove.managed-runtime-identity.v1")
                .u8(managed.schemaVersion())
                .string(managed.backend())
                .string(managed.instanceId())
                .string(managed.launchIdentityDigest());
    }

    static void process(ProcessIdentity process, DigestWriter out) {
        out.u8(process.schemaVersion())
                .u32((int) process.pid())
                .string(process.bootId())
                .u64(process.startTimeTicks())
                .u64(process.cgroupDevice())
                .u64(process.cgroupInode())
                .string(process.cgroupPathDigest());
    }
}
