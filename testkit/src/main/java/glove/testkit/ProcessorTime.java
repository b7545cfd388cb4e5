package glove.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long the present thread has worked, whatever else this machine does. Stateless. */
public final class ProcessorTime {
    private static final int TICK_MILLIS = 10;
    private static final int USER = 11; // fields behind the name, which may hold blanks
    private static final int SYSTEM = 12;

    private ProcessorTime() {}

    /** In steps of {@value #TICK_MILLIS} ms: utime and stime of proc_pid_stat(5). */
    public static long millis() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * TICK_MILLIS;
    }
}
