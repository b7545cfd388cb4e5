package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.List;

/** What a session runs in, such that it can be found again after a restart. Immutable. */
public sealed interface Resources {
    /** Of the identities in this build. */
    int SCHEMA_VERSION = 1;

    /** Nothing yet. */
    Resources NONE = new None();

    /** Whether each part is what such parts are. */
    boolean isValid();

    /** Nothing yet. */
    record None() implements Resources {
        @Override
        public boolean isValid() {
            return true;
        }
    }

    /**
     * Of this machine.
     *
     * @param cgroup that holds its processes
     * @param filesystem that holds what it writes
     */
    record Local(Cgroup cgroup, Filesystem filesystem) implements Resources {
        @Override
        public boolean isValid() {
            return cgroup.isValid() && filesystem.isValid();
        }
    }

    /**
     * An instance of another runtime.
     *
     * @param schemaVersion 1
     * @param backend {@code apple_container}
     * @param instanceId ID128
     * @param launchIdentityDigest of what was launched
     */
    record Managed(
            int schemaVersion, String backend, String instanceId, String launchIdentityDigest)
            implements Resources {
        private static final String BACKEND = "apple_container";

        @Override
        public boolean isValid() {
            return schemaVersion == SCHEMA_VERSION
                    && backend.equals(BACKEND)
                    && Id128.is(instanceId)
                    && Digest.is(launchIdentityDigest);
        }
    }

    /**
     * A cgroup, by its directory.
     *
     * @param schemaVersion 1
     * @param device u64
     * @param inode u64
     */
    record Cgroup(int schemaVersion, long device, long inode) {
        boolean isValid() {
            return schemaVersion == SCHEMA_VERSION && device != 0 && inode != 0;
        }
    }

    /**
     * Where a session writes.
     *
     * @param schemaVersion 1
     * @param diskLimitBytes of all; u64
     * @param partitions by alias, of which some of that is set aside
     */
    record Filesystem(int schemaVersion, long diskLimitBytes, List<Partition> partitions) {
        static final int PARTITIONS_MAX = 128;

        /** Copies the list. */
        public Filesystem {
            partitions = List.copyOf(partitions);
        }

        boolean isValid() {
            boolean valid = schemaVersion == SCHEMA_VERSION
                    && diskLimitBytes != 0
                    && partitions.size() <= PARTITIONS_MAX;
            String before = "";
            long sum = 0;
            for (Partition partition : partitions) {
                valid = valid
                        && Id128.is(partition.alias())
                        && before.compareTo(partition.alias()) < 0
                        && partition.quotaBytes() != 0
                        && !U64.sumOverflows(sum, partition.quotaBytes());
                before = partition.alias();
                sum += partition.quotaBytes();
            }
            return valid && U64.isLess(sum, diskLimitBytes);
        }
    }

    /**
     * Room of one writable grant.
     *
     * @param alias ID128
     * @param quotaBytes u64
     */
    record Partition(String alias, long quotaBytes) {}
}
