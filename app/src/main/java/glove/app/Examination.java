package glove.app;

import glove.sandbox.LaunchException;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs probes one after the other, each on a thread of its own, which what it starts dies with. One
 * that waits for something dead, a disk or a service, is left behind: the verb goes on and ends,
 * and its process with it. Confined to one thread.
 */
final class Examination {
    /** What one probe may take, all it started ended by then; each is done in a tenth of that. */
    private static final long PROBE_MILLIS = 2000;

    /** The rest is for ending what it started. */
    private static final long WORK_MILLIS = 1500;

    private final long probeMillis;

    /** With the time probes have. */
    Examination() {
        this(PROBE_MILLIS);
    }

    /** With another time, for tests. */
    Examination(long probeMillis) {
        this.probeMillis = probeMillis;
    }

    /** What each found, in their order. */
    List<Check> of(List<Probe> probes) {
        List<Check> checks = new ArrayList<>();
        for (Probe probe : probes) {
            checks.add(of(probe));
        }
        return checks;
    }

    private Check of(Probe probe) {
        AtomicReference<Check> found = new AtomicReference<>();
        long deadline = System.nanoTime() + WORK_MILLIS * 1_000_000;
        Thread thread = new Thread(() -> found.set(examine(probe, deadline)), probe.code());
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ignored, thrown) -> found.set(Check.failed(
                probe.code(), "a fault of Glove's own: " + thrown, List.of("report it"))));
        thread.start();
        try {
            thread.join(probeMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Check check = found.get();
        return check != null
                ? check
                : Check.failed(
                        probe.code(),
                        "no answer within " + probeMillis + " ms",
                        List.of("look for a dead disk, network file system or service (dmesg, "
                                + "mount), or for too little processor time"));
    }

    private static Check examine(Probe probe, long deadline) {
        try {
            return probe.body().examine(deadline);
        } catch (Refusal e) {
            return Check.untried(probe.code(), e.getMessage(), e.hints());
        } catch (LaunchException e) {
            return e.isForWantOfRoom()
                    ? Check.untried(probe.code(), e.getMessage(), room(e.getMessage()))
                    : Check.failed(probe.code(), e.getMessage(), List.of());
        } catch (ErrnoException e) {
            String words = String.valueOf(e.getMessage());
            return Check.untried(probe.code(), words, room(words));
        }
    }

    /** What to type, unless the sentence says it. */
    private static List<String> room(String sentence) {
        return sentence.contains("ulimit")
                ? List.of()
                : List.of("look at ulimit -a and df -h, and try again");
    }
}
