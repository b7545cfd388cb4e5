package glove.sandbox;

import java.util.HashMap;
import java.util.Map;

/**
 * The processor time of a tree of processes, from pictures of it. Two counts, and the larger one
 * holds, because each misses something. What the living say of themselves and of the children they
 * waited for misses those nobody waits for (a parent that ignores SIGCHLD). What each was seen to
 * use, added up, misses those that live between two pictures. Confined to one thread.
 */
final class CpuAccount {
    private static final int GENERATION = 8192;
    private static final int PID_BITS = 22;

    /** Own ticks by process. A picture may miss one, so it is remembered for two generations. */
    private Map<Long, Long> young = new HashMap<>();

    private Map<Long, Long> old = new HashMap<>();
    private long seenTicks;
    private long mostTicks;
    private long toldBefore;
    private boolean started;

    /** Takes a picture into account; the first says what was used before anything counts. */
    void add(ProcessTree tree) {
        long told = 0;
        for (int i = 0; i < tree.count(); i++) {
            ProcessStat stat = tree.stat(i);
            told += stat.ownTicks() + stat.reapedTicks();
            see(tree.pid(i), stat);
        }
        if (!started) {
            started = true;
            toldBefore = told;
            seenTicks = 0;
        }
        mostTicks = Math.max(mostTicks, Math.max(told - toldBefore, seenTicks));
    }

    private void see(int pid, ProcessStat stat) {
        Long process = stat.startTicks() << PID_BITS | pid;
        long before = young.getOrDefault(process, old.getOrDefault(process, 0L));
        seenTicks += stat.ownTicks() - before;
        if (young.size() == GENERATION) {
            old = young;
            young = new HashMap<>();
        }
        young.put(process, stat.ownTicks());
    }

    /** Milliseconds since the first picture; never fewer than it said before. */
    long usedMillis() {
        return mostTicks * ProcessStat.TICK_MILLIS;
    }
}
