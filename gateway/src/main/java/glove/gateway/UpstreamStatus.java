package glove.gateway;

/**
 * How an upstream is. Immutable.
 *
 * @param name its name
 * @param revision of the protocol it speaks; empty while it does not serve
 * @param shown things of its lists an agent sees, but for names that are not unique
 * @param hidden things it lists and no agent sees
 * @param underWay requests it has not answered
 * @param ignored what it has said in vain
 */
public record UpstreamStatus(
        String name, String revision, int shown, int hidden, int underWay, Ignored ignored) {
    /**
     * What went nowhere.
     *
     * @param malformed lines that are no messages, of all runs
     * @param flooded notifications that were too many, of all runs
     * @param late answers to what was given up, of this run
     * @param stray answers to nothing, of this run
     * @param progress of nothing that is under way, of this run
     */
    public record Ignored(long malformed, long flooded, long late, long stray, long progress) {}
}
