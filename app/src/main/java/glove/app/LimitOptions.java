package glove.app;

import glove.sandbox.Limits;
import glove.sandbox.Refusal;
import glove.sandbox.Scratch;

/** The limits of a command line while it is read. Confined to one thread. */
final class LimitOptions {
    private long memory = Limits.NONE;
    private long cpuTime = Limits.NONE;
    private long processes = Limits.NONE;
    private long wall = Limits.NONE;
    private long output = Limits.NONE;
    private long scratch = Limits.NONE;

    void setMemory(String option, byte[] value) throws Refusal {
        memory = Quantity.size(option, value);
    }

    void setCpuTime(String option, byte[] value) throws Refusal {
        cpuTime = Quantity.time(option, value);
    }

    void setProcesses(String option, byte[] value) throws Refusal {
        processes = Quantity.count(option, value);
    }

    void setWall(String option, byte[] value) throws Refusal {
        wall = Quantity.time(option, value);
    }

    void setOutput(String option, byte[] value) throws Refusal {
        output = Quantity.size(option, value);
    }

    void setScratch(String option, byte[] value) throws Refusal {
        scratch = Quantity.size(option, value);
    }

    /** What may be used; the last word of an option counts. */
    Limits limits() {
        return new Limits(memory, cpuTime, processes, wall, output);
    }

    /**
     * The size of the private directories. They live in memory: not more of it by default than all
     * processes may have.
     */
    Scratch scratch(long totalRamBytes) {
        Scratch usual = Scratch.ofMemory(totalRamBytes);
        return new Scratch(
                scratch == Limits.NONE ? Math.min(usual.bytes(), memory) : scratch, usual.inodes());
    }
}
