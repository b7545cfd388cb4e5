package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The systemd that runs for this user, asked to put this process into a delegated scope: what
 * {@code systemd-run --user --scope} does, without starting the program a second time. Process id,
 * terminal, signals, standard streams and exit status are not touched by it. Confined to a thread.
 */
final class SystemdScope {
    private static final UnixPath ROOTS = UnixPath.of("/run/systemd/private");
    private static final UnixPath MEMBERSHIP = UnixPath.of("/proc/self/cgroup");
    private static final long PATIENCE_NANOS = 3_000_000_000L;
    private static final long MOVE_POLL_MILLIS = 2;
    private static final int MESSAGE_BYTES_MAX = 1 << 16;

    private final Linux linux;
    private final UnixPath socket;
    private final long deadline = System.nanoTime() + PATIENCE_NANOS;

    SystemdScope(Linux linux, UnixPath socket) {
        this.linux = linux;
        this.socket = socket;
    }

    /**
     * Where the manager of a user listens for its user alone.
     *
     * @param runtimeDirectory XDG_RUNTIME_DIR; empty when it is not set
     */
    static UnixPath socketOf(int uid, UnixPath runtimeDirectory) {
        if (uid == 0) {
            return ROOTS;
        }
        UnixPath directory =
                runtimeDirectory.isAbsolute() ? runtimeDirectory : UnixPath.of("/run/user/" + uid);
        return directory.resolve("systemd/private");
    }

    /** Returns once this process is in a scope of its own. */
    void enter() throws CgroupException {
        int pid = linux.getpid();
        String unit = "glove-exec-" + pid + "-" + Long.toString(System.nanoTime(), 36) + ".scope";
        try (OwnedFd bus = linux.connectUnix(socket)) {
            linux.writeFully(bus, BusMessage.authentication(linux.geteuid()));
            awaitLine(bus, "OK ");
            linux.writeFully(bus, BusMessage.begin());
            linux.writeFully(bus, BusMessage.startScope(unit, pid));
            awaitAnswer(bus);
            awaitMembership(unit);
        } catch (ErrnoException e) {
            throw new CgroupException("no scope of systemd's: " + e.getMessage(), e);
        }
    }

    /** A byte at a time: what comes after the line is not to be read. */
    private void awaitLine(OwnedFd bus, String wanted) throws ErrnoException, CgroupException {
        StringBuilder line = new StringBuilder();
        while (line.length() < MESSAGE_BYTES_MAX) {
            byte next = read(bus, 1)[0];
            if (next == '\n') {
                break;
            }
            line.append((char) (next & 0x7f));
        }
        if (!line.toString().startsWith(wanted)) {
            throw new CgroupException("no scope of systemd's: it does not know this user");
        }
    }

    private void awaitAnswer(OwnedFd bus) throws ErrnoException, CgroupException {
        for (; ; ) {
            byte[] fixed = read(bus, BusMessage.FIXED_BYTES);
            long length = BusMessage.length(fixed);
            if (length < 0 || length > MESSAGE_BYTES_MAX) {
                throw new CgroupException("no scope of systemd's: not a message");
            }
            byte[] message = Arrays.copyOf(fixed, (int) length);
            byte[] rest = read(bus, (int) length - fixed.length);
            System.arraycopy(rest, 0, message, fixed.length, rest.length);
            if (BusMessage.type(message) == BusMessage.ERROR) {
                throw new CgroupException(
                        "no scope of systemd's: " + BusMessage.errorName(message));
            }
            if (BusMessage.type(message) == BusMessage.METHOD_RETURN) {
                return;
            }
        }
    }

    /** Exactly this many. */
    private byte[] read(OwnedFd bus, int wanted) throws ErrnoException, CgroupException {
        byte[] all = new byte[wanted];
        int length = 0;
        while (length < wanted) {
            awaitReadable(bus);
            byte[] more = linux.read(bus, wanted - length);
            if (more.length == 0) {
                throw new CgroupException("no scope of systemd's: it hung up");
            }
            System.arraycopy(more, 0, all, length, more.length);
            length += more.length;
        }
        return all;
    }

    private void awaitReadable(OwnedFd bus) throws ErrnoException, CgroupException {
        List<PollFd> fds = List.of(new PollFd(bus, PollFd.POLLIN));
        int happened = 0;
        while (happened == 0) {
            happened = wait(fds, leftMillis());
        }
    }

    private int wait(List<PollFd> fds, long millis) throws ErrnoException {
        try {
            int[] happened = linux.poll(fds, millis);
            return happened.length == 0 ? 0 : happened[0];
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINTR) {
                return 0;
            }
            throw e;
        }
    }

    private long leftMillis() throws CgroupException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new CgroupException("no scope of systemd's: it did not answer in "
                    + PATIENCE_NANOS / 1_000_000_000 + " s");
        }
        return left;
    }

    /** The answer says that a job was queued, not that it is done. */
    private void awaitMembership(String unit) throws ErrnoException, CgroupException {
        while (!isIn(unit)) {
            wait(List.of(), Math.min(MOVE_POLL_MILLIS, leftMillis()));
        }
    }

    private boolean isIn(String unit) throws ErrnoException {
        byte[] text = linux.readFile(MEMBERSHIP, MESSAGE_BYTES_MAX);
        return CgroupText.place(new String(text, StandardCharsets.ISO_8859_1)).endsWith("/" + unit);
    }
}
