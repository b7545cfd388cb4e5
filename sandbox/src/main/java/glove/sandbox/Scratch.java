package glove.sandbox;

/**
 * How much the agent may keep in its private directories (/home/agent, /tmp, /var/tmp, /dev/shm)
 * taken together. They live in memory.
 *
 * @param bytes upper bound of their content
 * @param inodes upper bound of files and directories
 */
public record Scratch(long bytes, long inodes) {
    private static final long LEAST = 256L << 20;
    private static final long MOST = 8L << 30;
    private static final long INODES = 400_000;

    /** A quarter of the machine's memory, within bounds. */
    public static Scratch ofMemory(long totalRamBytes) {
        return new Scratch(Math.clamp(totalRamBytes / 4, LEAST, MOST), INODES);
    }
}
