package glove.app;

import glove.sys.BorrowedFd;
import glove.sys.Fd;
import glove.sys.Linux;

/**
 * What becomes of what nobody foresaw, OutOfMemoryError say: a sentence and a status. By then
 * everything opened has been closed, so whatever ran inside has been killed. Confined to the main
 * thread.
 */
final class LastResort implements Thread.UncaughtExceptionHandler {
    private static final int WORD_MAX = 16;

    private final String verb;
    private final boolean hasAgent;
    private final boolean verbose;

    /** Of a command line. */
    LastResort(String[] args) {
        this.verb = args.length > 0 && isWord(args[0]) ? args[0] : "";
        this.hasAgent = verb.equals("exec") || verb.equals("run");
        this.verbose = hasAgent && isVerbose(args);
    }

    /** What could be a verb, and may be shown. */
    private static boolean isWord(String arg) {
        for (int i = 0; i < arg.length(); i++) {
            if (arg.charAt(i) < 'a' || arg.charAt(i) > 'z') {
                return false;
            }
        }
        return arg.length() <= WORD_MAX;
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
        return hasAgent ? ExecVerb.EXIT_CANNOT_LAUNCH : 1;
    }

    /** Which say who speaks. */
    Notices notices(Linux linux, Fd stderr) {
        return new Notices(verb, linux, stderr);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        int status = status();
        try (Notices notices = notices(Linux.host(), BorrowedFd.STDERR)) {
            tell(notices, thrown);
        } finally {
            Glove.end(status);
        }
    }

    void tell(Notices notices, Throwable thrown) {
        notices.say("ended by a fault of Glove's own: " + thrown
                + (hasAgent && !verbose ? "; -v tells where" : ""));
        if (verbose || !hasAgent) {
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
