package glove.journal;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durable appends a second by 1, 4, 16 and 64 callers, by hand, beside how often the disk alone can
 * be synced. Not a test: numbers differ from machine to machine. Arguments: a directory, and the
 * bytes of a record (2200).
 */
final class AppendLogBenchmark {
    private static final long SECONDS = 2;

    private AppendLogBenchmark() {}

    /** Prints appends a second and their ratio to the raw rate. */
    public static void main(String[] args) throws Exception {
        Path parent = Path.of(args[0]);
        int bytes = args.length > 1 ? Integer.parseInt(args[1]) : 2200;
        Path directory = Records.directory(parent, "append-" + System.nanoTime());
        double raw = raw(directory.resolve("raw"), bytes);
        System.out.println("raw write and fdatasync: " + Math.round(raw) + "/s, "
                + Math.round(1e6 / raw) + " us each");
        for (int callers : new int[] {1, 4, 16, 64}) {
            double rate = appends(directory.resolve("log" + callers), callers, bytes);
            System.out.println(callers + " callers: " + Math.round(rate) + "/s, "
                    + Math.round(100 * rate / raw) + "% of raw");
        }
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private static double raw(Path file, int bytes) throws ErrnoException {
        Linux linux = Linux.host();
        int flags = OpenFlags.O_RDWR | OpenFlags.O_CREAT;
        try (OwnedFd fd = linux.open(UnixPath.of(file.toString()), flags, 0600)) {
            byte[] record = new byte[bytes];
            long start = System.nanoTime();
            long end = start + SECONDS * 1_000_000_000L;
            long count = 0;
            while (System.nanoTime() < end) {
                linux.pwriteFully(fd, record, count * bytes);
                linux.fdatasync(fd);
                count++;
            }
            return count * 1e9 / (System.nanoTime() - start);
        }
    }

    private static double appends(Path file, int callers, int bytes)
            throws AppendLogException, InterruptedException {
        AppendLayout layout = new AppendLayout(
                "benchmark",
                Records.HEADER,
                new AppendLayout.Bounds(1 << 20, 1L << 40, Long.MAX_VALUE),
                AppendLayout.Parent.OWNER_ONLY);
        AtomicLong done = new AtomicLong();
        UnixPath path = UnixPath.of(file.toString());
        try (AppendLog log = AppendLog.open(
                Linux.host(), path, layout, AppendLog.Opening.NEW, new Records.Reading())) {
            long start = System.nanoTime();
            long end = start + SECONDS * 1_000_000_000L;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    byte[] record = new byte[bytes];
                    while (System.nanoTime() < end) {
                        commit(log, record);
                        done.incrementAndGet();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return done.get() * 1e9 / (System.nanoTime() - start);
        }
    }

    private static void commit(AppendLog log, byte[] record) {
        Change<Boolean> change = new Change<>() {
            @Override
            public Optional<byte[]> make(long sequence) {
                return Optional.of(record);
            }

            @Override
            public Boolean done() {
                return true;
            }

            @Override
            public void undone() {}
        };
        try {
            log.commit(change);
        } catch (AppendLogException e) {
            throw new IllegalStateException(e);
        }
    }
}
