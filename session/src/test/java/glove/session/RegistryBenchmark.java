package glove.session;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durable creations a second by 1 and 16 clients, the time to open a full store, and what it takes
 * in memory; by hand. Not a test: numbers differ from machine to machine. Arguments: a directory;
 * or "open" and a full store, which a run with "keep" behind the directory leaves.
 */
final class RegistryBenchmark {
    private static final long SECONDS = 3;

    /** As a full store of the largest size has them. */
    private static final int FULL_RECORDS = 9_900;

    private static final int FULL_PLAN_BYTES = 5_000;

    private RegistryBenchmark() {}

    /** Prints them. */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("open")) {
            opened(Path.of(args[1]));
            return;
        }
        Path directory = Files.createDirectory(Path.of(args[0], "registry-" + System.nanoTime()));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        for (int clients : new int[] {1, 16, 16, 16}) {
            Path file = directory.resolve("store");
            long raw = raw(directory.resolve("raw"));
            Files.delete(directory.resolve("raw"));
            try (SessionRegistry registry = open(file)) {
                long rate = rate(registry, clients);
                System.out.println(clients + " clients: " + rate + " creations/s; raw syncs of the "
                        + "same bytes: " + raw + "/s; " + 100 * rate / raw + "%");
            }
            Files.delete(file);
        }
        Path full = directory.resolve("full");
        full(full);
        for (int i = 0; i < 3; i++) {
            opened(full);
        }
        if (args.length == 1) {
            Files.delete(full);
            Files.delete(directory);
        }
    }

    private static SessionRegistry open(Path file) throws glove.journal.AppendLogException {
        return SessionRegistry.open(
                Linux.host(),
                new SessionRegistry.Store(
                        UnixPath.of(file.toString()), 1L << 40, Long.MAX_VALUE / 128),
                new SessionRegistry.Checks(
                        (plan, nowMs) -> CanonicalPlan.of(
                                new String(plan, StandardCharsets.UTF_8), 7, Room.EXPIRES),
                        (plan, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                        envelope -> ReceiptCheck.Worth.DURABLE));
    }

    private static void create(SessionRegistry registry, String id, byte[] plan) {
        RegistryReply reply = registry.create(
                new Id128(id), new Digest(Room.CONTROLLER), plan, Room.call("key-" + id, 1000));
        if (!(reply instanceof RegistryReply.Done)) {
            throw new IllegalStateException(reply.toString());
        }
    }

    private static long rate(SessionRegistry registry, int clients) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        byte[] plan = Room.PLAN.getBytes(StandardCharsets.UTF_8);
        long start = System.nanoTime();
        long end = start + SECONDS * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            String name = "client-" + i + "-";
            threads.add(Thread.ofPlatform().start(() -> {
                for (int k = 0; System.nanoTime() < end; k++) {
                    create(registry, name + k, plan);
                    done.incrementAndGet();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return done.get() * 1_000_000_000L / (System.nanoTime() - start);
    }

    private static void full(Path file) throws Exception {
        // As many quotes as plans have: each is escaped in the store.
        int words = (FULL_PLAN_BYTES - Room.PLAN.length()) / 13;
        String tail = "\"x\":[\"yyyyyyyyyy\"" + ",\"yyyyyyyyyy\"".repeat(words) + "]}";
        byte[] plan = (Room.PLAN.substring(0, Room.PLAN.length() - 1) + "," + tail)
                .getBytes(StandardCharsets.UTF_8);
        try (SessionRegistry registry = open(file)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                int first = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int k = first; k < FULL_RECORDS; k += 16) {
                        create(registry, "session-" + k, plan);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.println("full store: " + (Files.size(file) >> 20) + " MiB");
    }

    /** Of records as they are in the store. */
    private static long raw(Path file) throws ErrnoException {
        Linux linux = Linux.host();
        int flags = OpenFlags.O_RDWR | OpenFlags.O_CREAT;
        try (OwnedFd fd = linux.open(UnixPath.of(file.toString()), flags, 0600)) {
            byte[] record = new byte[2000];
            long start = System.nanoTime();
            long count = 0;
            while (System.nanoTime() < start + 1_000_000_000L) {
                linux.pwriteFully(fd, record, count * record.length);
                linux.fdatasync(fd);
                count++;
            }
            return count;
        }
    }

    private static void opened(Path file) throws Exception {
        long start = System.nanoTime();
        try (SessionRegistry registry = open(file)) {
            System.out.println("opened in " + (System.nanoTime() - start) / 1_000_000 + " ms, "
                    + registry.room().records() + " records");
            status(registry);
        }
    }

    private static void status(SessionRegistry registry) throws Exception {
        Id128 id = new Id128("session-7");
        long start = System.nanoTime();
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            if (registry.find(id).isEmpty()) {
                throw new IllegalStateException("it was created");
            }
        }
        System.out.println("status: " + (System.nanoTime() - start) / count + " ns");
    }
}
