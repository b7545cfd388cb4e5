package glove.sys;

/**
 * The cost of calls, by hand: first use, then 1,000 times open, fstat and close. Not a test:
 * numbers differ from machine to machine.
 */
final class CallBenchmark {
    private static final int ROUNDS = 1000;

    private CallBenchmark() {}

    /** Prints microseconds. */
    public static void main(String[] args) throws ErrnoException {
        UnixPath path = UnixPath.of("/etc/passwd");
        long start = System.nanoTime();
        openStatClose(path);
        System.out.println(
                "first open, fstat, close: " + (System.nanoTime() - start) / 1000 + " us");
        for (int run = 1; run <= 5; run++) {
            start = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                openStatClose(path);
            }
            System.out.println(
                    "run " + run + ": " + (System.nanoTime() - start) / 1000 + " us for " + ROUNDS);
        }
    }

    private static void openStatClose(UnixPath path) throws ErrnoException {
        try (OwnedFd fd = Linux.host().open(path, 0, 0)) {
            if (!Linux.host().fstat(fd).isRegularFile()) {
                throw new Bug(path + " is a regular file");
            }
        }
    }
}
