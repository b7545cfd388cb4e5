package glove.app;

import glove.sys.BorrowedFd;
import glove.sys.Linux;

/**
 * What becomes of what nobody foresaw, OutOfMemoryError say: a sentence and a status. By then
 * everything opened has been closed, so whatever ran inside has been killed. Confined to the main
 * thread.
 */
final class LastResort implements Thread.UncaughtExceptionHandler {
    private final boolean exec;
    private final boolean verbose;

    /** Of a command line. */
    LastResort(String[] args) {
        this.exec = args.length > 0 && args[0].equals("exec");
        this.verbose = exec && isVerbose(args);
    }

    private static boolean isVerbose(String[] args) {
        for (int i = 1; i < args.length && !args[i].equals("--"); i++) {
            if (args[i].equals("-v") || args[i].equals("--verbose")) {
                return true;
            }
        }
        return false;
    }

    /** What programs read from the status: it was Glove, not the agent. */
    int status() {
        return exec ? ExecVerb.EXIT_CANNOT_LAUNCH : 1;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        int status = status();
        try (Notices notices = new Notices(exec ? "exec" : "", Linux.host(), BorrowedFd.STDERR)) {
            tell(notices, thrown);
        } finally {
            Glove.end(status);
        }
    }

    void tell(Notices notices, Throwable thrown) {
        notices.say("ended by a fault of Glove's own: " + thrown
                + (exec && !verbose ? "; -v tells where" : ""));
        if (verbose || !exec) {
            notices.print(trace(thrown));
        }
    }

    private static String trace(Throwable thrown) {
        StringBuilder out = new StringBuilder();
        for (Throwable one = thrown; one != null; one = one.getCause()) {
            out.append("cause: ").append(one).append('\n');
            for (StackTraceElement element : one.getStackTrace()) {
                out.append("  at ").append(element).append('\n');
            }
        }
        return out.toString();
    }
}
