package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Alias;
import glove.wire.JsonFields;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path of this machine under the name plans know it by (sheet 10, 2.5). Immutable.
 *
 * @param alias the name
 * @param hostPath what is shown
 * @param targetPath where it is in the session
 * @param maxTtlSecs for how long a plan may ask for it
 * @param modes how it may be used, each access once
 */
public record PathAlias(
        Alias alias,
        AbsolutePath hostPath,
        AbsolutePath targetPath,
        long maxTtlSecs,
        List<Mode> modes) {
    private static final int MODES_MAX = 64;

    /** One way to use it. */
    public record Mode(
            Access access,
            Materialization materialization,
            CreatePolicy create,
            CleanupPolicy cleanup,
            long maxBytes) {
        private static Mode read(JsonFields fields) {
            Mode read = new Mode(
                    fields.value("access", Access.CLASS),
                    fields.value("materialization", Materialization.CLASS),
                    fields.value("create_policy", CreatePolicy.CLASS),
                    fields.value("cleanup_policy", CleanupPolicy.CLASS),
                    fields.u64("max_bytes"));
            fields.end();
            read.check(fields);
            return read;
        }

        private void check(JsonFields fields) {
            boolean bound = materialization == Materialization.BIND;
            if (bound && create != CreatePolicy.NEVER) {
                fields.problem("create_policy", "is for copies", "write never: a bind exists");
            }
            boolean worktree = materialization == Materialization.GIT_WORKTREE;
            if (worktree != (create == CreatePolicy.GIT_WORKTREE)) {
                fields.problem(
                        "create_policy",
                        "does not fit the materialization",
                        "git_worktree stands in both or in none");
            }
            switch (access) {
                case READ -> checkRead(fields, bound);
                case EPHEMERAL_WRITE -> checkCopy(fields, bound, CleanupPolicy.REMOVE);
                case RETAINED_WRITE -> checkCopy(fields, bound, CleanupPolicy.RETAIN);
                case DIRECT_WRITE -> checkDirect(fields, bound);
            }
        }

        private void checkRead(JsonFields fields, boolean bound) {
            checkNoQuota(fields);
            if (bound && cleanup != CleanupPolicy.RETAIN) {
                fields.problem("cleanup_policy", "would remove the source", "write retain");
            }
        }

        private void checkNoQuota(JsonFields fields) {
            if (maxBytes != 0) {
                fields.problem("max_bytes", "is a quota where no copy is written", "write 0");
            }
        }

        private void checkCopy(JsonFields fields, boolean bound, CleanupPolicy expected) {
            if (bound) {
                fields.problem(
                        "materialization",
                        "is bind, and " + access.word() + " wants a copy",
                        "write copy");
            }
            if (maxBytes == 0 && !fields.isWrong("max_bytes")) {
                fields.problem("max_bytes", "is 0", "write the quota of the copy in bytes");
            }
            if (cleanup != expected) {
                fields.problem("cleanup_policy", "does not fit", "write " + expected.word());
            }
        }

        private void checkDirect(JsonFields fields, boolean bound) {
            checkNoQuota(fields);
            if (!bound || cleanup != CleanupPolicy.RETAIN) {
                fields.problem(
                        "materialization",
                        "does not fit direct_write",
                        "write bind, and retain as cleanup_policy");
            }
        }
    }

    /** Copies the list. */
    public PathAlias {
        modes = List.copyOf(modes);
    }

    /** How it may be used for one access. */
    public Optional<Mode> mode(Access access) {
        return modes.stream().filter(mode -> mode.access == access).findFirst();
    }

    static PathAlias read(JsonFields fields) {
        Alias alias = fields.value("alias", Alias.CLASS);
        AbsolutePath host = fields.value("host_path", AbsolutePath.CLASS);
        AbsolutePath target = fields.value("target_path", AbsolutePath.CLASS);
        long ttl = fields.positiveU64("max_ttl_secs");
        List<Mode> modes = new ArrayList<>();
        List<JsonFields> objects = fields.objects("access", MODES_MAX);
        for (JsonFields object : objects) {
            Mode mode = Mode.read(object);
            if (modes.stream().anyMatch(earlier -> earlier.access == mode.access)) {
                object.problem("access", "stands there before", "keep one of them");
            }
            modes.add(mode);
        }
        fields.end();
        if (objects.isEmpty()) {
            fields.problem("access", "allows nothing", "write at least one way to use the path");
        }
        if (ReservedPaths.isHost(host)) {
            fields.problem(
                    "host_path",
                    "is the system's, a whole home, or holds keys",
                    "name the directory the session needs");
        }
        if (ReservedPaths.isTarget(target)) {
            fields.problem(
                    "target_path", "would cover the session's system", "write /workspace, say");
        }
        return new PathAlias(alias, host, target, ttl, modes);
    }
}
