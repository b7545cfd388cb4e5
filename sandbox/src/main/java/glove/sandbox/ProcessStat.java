package glove.sandbox;

import java.util.OptionalLong;

/**
 * What /proc/PID/stat says of one process (proc_pid_stat(5)).
 *
 * @param parent process id of its parent
 * @param threads 0 of a zombie
 * @param startTicks when it started: with the id, which process it is
 * @param ownTicks processor time of its own, user and system
 * @param reapedTicks the same of its children that it has waited for, with theirs
 * @param residentPages mapped and in memory, also what it shares
 */
record ProcessStat(
        int parent,
        long threads,
        long startTicks,
        long ownTicks,
        long reapedTicks,
        long residentPages) {
    /** USER_HZ, the same on all machines Glove runs on. */
    static final int TICK_MILLIS = 10;

    private static final int PARENT = 1;
    private static final int UTIME = 11;
    private static final int THREADS = 17;
    private static final int START = 19;
    private static final int RESIDENT = 21;
    private static final int FIELDS = 22;

    static final ProcessStat NONE = new ProcessStat(0, 0, 0, 0, 0, 0);

    /**
     * Reads the line. The name stands in brackets and can hold brackets and blanks itself, so the
     * fields are counted from the last bracket.
     *
     * @return {@link #NONE} when it is not such a line
     */
    static ProcessStat parse(byte[] line) {
        int at = line.length - 1;
        while (at >= 0 && line[at] != ')') {
            at--;
        }
        long[] fields = new long[FIELDS];
        int field = 0;
        at += 2;
        while (at < line.length && field < FIELDS) {
            int end = at;
            while (end < line.length && line[end] != ' ' && line[end] != '\n') {
                end++;
            }
            OptionalLong value = number(line, at, end);
            if (value.isEmpty() && field != 0) {
                return NONE; // only the first of them, the state, is a letter
            }
            fields[field++] = value.orElse(0);
            at = end + 1;
        }
        return field < FIELDS
                ? NONE
                : new ProcessStat(
                        (int) fields[PARENT],
                        fields[THREADS],
                        fields[START],
                        fields[UTIME] + fields[UTIME + 1],
                        fields[UTIME + 2] + fields[UTIME + 3],
                        fields[RESIDENT]);
    }

    /** Signed, and a number beyond a long (a memory limit without limit) as the largest. */
    private static OptionalLong number(byte[] line, int start, int end) {
        boolean negative = start < end && line[start] == '-';
        long value = 0;
        int first = negative ? start + 1 : start;
        for (int i = first; i < end; i++) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                return OptionalLong.empty();
            }
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : 10 * value + digit;
        }
        return first < end ? OptionalLong.of(negative ? -value : value) : OptionalLong.empty();
    }
}
