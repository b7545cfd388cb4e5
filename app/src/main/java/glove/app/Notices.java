package glove.app;

import glove.sandbox.Refusal;
import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What Glove itself says on stderr while an agent may be drawing on the same terminal. During a run
 * it never waits for who reads stderr: what finds no room waits here, and what finds none here is
 * lost, which is said. Confined to the run's thread.
 */
final class Notices implements Attendant, AutoCloseable {
    /** What waits for a reader; of more, whole lines are lost. */
    static final int WAITING_BYTES_MAX = 64 << 10;

    /** What poll(2) promises room for. */
    private static final int PIECE_BYTES = 4096;

    /** At the end, for a reader that takes nothing. */
    private static final long REST_MILLIS = 500;

    private final String verb;
    private final @Nullable Linux linux; // null: waits for the reader
    private final Fd stderr;
    private final long restMillis;
    private Optional<Terminal> screen = Optional.empty();
    private boolean raw;
    private @Nullable OwnedFd again; // stderr opened once more, where that can be done
    private boolean opened;
    private byte[] waiting = new byte[0];
    private long lost;
    private boolean awaiting;

    /** Each line begins with {@code glove VERB}, and is said when the call returns. */
    Notices(String verb) {
        this.verb = verb;
        this.linux = null;
        this.stderr = BorrowedFd.STDERR;
        this.restMillis = 0;
    }

    /**
     * For a run: an attendant of its loop, closed last.
     *
     * @param stderr borrowed; its mode, which is others' as well, stays as it is
     */
    Notices(String verb, Linux linux, Fd stderr) {
        this(verb, linux, stderr, REST_MILLIS);
    }

    /** With another patience at its end, milliseconds. */
    Notices(String verb, Linux linux, Fd stderr, long restMillis) {
        this.verb = verb;
        this.linux = linux;
        this.stderr = stderr;
        this.restMillis = restMillis;
    }

    /** Whether the terminal is in raw mode: a line then has to return the carriage by itself. */
    void setRaw(boolean raw) {
        this.raw = raw;
    }

    /** While stderr is this terminal: one that takes nothing must not hold up the run. */
    void sayOn(Optional<Terminal> terminal) {
        screen = terminal;
    }

    /** One line. */
    void say(String sentence) {
        write(line(sentence));
    }

    private String line(String sentence) {
        String who = verb.isEmpty() ? "glove" : "glove " + verb;
        return (raw ? "\r" : "") + who + ": " + sentence + (raw ? "\r\n" : "\n");
    }

    /** A line that tells what to type. */
    void suggest(String command) {
        write("Try: " + command + (raw ? "\r\n" : "\n"));
    }

    /** Why something is refused, and each way on. */
    void refuse(Refusal refusal) {
        say(refusal.getMessage());
        for (String hint : refusal.hints()) {
            suggest(hint);
        }
    }

    /** Text as it is. */
    void print(String text) {
        write(text);
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (screen.isPresent()) {
            screen.get().show(bytes);
        } else if (linux == null) {
            System.err.write(bytes, 0, bytes.length);
            System.err.flush();
        } else {
            enqueue(linux, bytes);
        }
    }

    private void enqueue(Linux calls, byte[] bytes) {
        boolean full = waiting.length > 0 && waiting.length + bytes.length > WAITING_BYTES_MAX;
        if (lost > 0 || full) {
            lost++; // nothing passes a gap before the gap is told
        } else {
            append(bytes);
        }
        drain(calls, 0);
    }

    private void append(byte[] bytes) {
        int before = waiting.length;
        waiting = Arrays.copyOf(waiting, before + bytes.length);
        System.arraycopy(bytes, 0, waiting, before, bytes.length);
    }

    /** Writes what there is room for, until a moment; 0 for what there is room for now. */
    private void drain(Linux calls, long untilNanos) {
        try {
            int at = 0;
            while (at < waiting.length && isRoom(calls, untilNanos)) {
                int taken = writePiece(calls, at);
                if (taken == 0) {
                    break;
                }
                at += taken;
                if (at == waiting.length && lost > 0) {
                    waiting = tellLost();
                    at = 0;
                }
            }
            waiting = at == 0 ? waiting : Arrays.copyOfRange(waiting, at, waiting.length);
        } catch (ErrnoException e) {
            waiting = new byte[0]; // EPIPE, EIO, EBADF: nobody will ever read it
            lost = 0;
        }
    }

    private byte[] tellLost() {
        String words = lost + (lost == 1 ? " line of Glove's is" : " lines of Glove's are")
                + " missing here: nothing read its stderr";
        lost = 0;
        return line(words).getBytes(StandardCharsets.UTF_8);
    }

    private boolean isRoom(Linux calls, long untilNanos) throws ErrnoException {
        long millis = untilNanos == 0 ? 0 : (untilNanos - System.nanoTime()) / 1_000_000;
        // Twice: a signal ends the first wait, and says nothing of room.
        return calls.awaitRoom(target(calls), Math.max(0, millis))
                && calls.awaitRoom(target(calls), 0);
    }

    private int writePiece(Linux calls, int at) throws ErrnoException {
        int end = Math.min(waiting.length, at + PIECE_BYTES);
        try {
            return calls.write(target(calls), Arrays.copyOfRange(waiting, at, end));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * Opened once more, so that a write cannot wait: poll(2) tells of room on a terminal that has
     * less than a piece. A file never waits, and opened again it would be written from its start.
     */
    private Fd target(Linux calls) throws ErrnoException {
        if (!opened) {
            opened = true;
            int flags = OpenFlags.O_WRONLY | OpenFlags.O_NONBLOCK | OpenFlags.O_NOCTTY;
            if (!calls.fstat(stderr).isRegularFile()) {
                try {
                    again = calls.openAgain(stderr, flags);
                } catch (ErrnoException e) {
                    again = null; // a socket, or a terminal after su: small writes have to do
                }
            }
        }
        OwnedFd own = again;
        return own != null ? own : stderr;
    }

    @Override
    public List<PollFd> awaited() {
        awaiting = waiting.length > 0;
        if (!awaiting) {
            return List.of();
        }
        OwnedFd own = again;
        return List.of(new PollFd(own != null ? own : stderr, PollFd.POLLOUT));
    }

    @Override
    public long patience() {
        return UNLIMITED;
    }

    @Override
    public void attend(int[] happened, int from) {
        if (linux != null && awaiting && happened[from] != 0) {
            drain(linux, 0);
        }
    }

    /** What still waits has a moment to be read. */
    @Override
    public void close() {
        if (linux != null && waiting.length > 0) {
            drain(linux, System.nanoTime() + restMillis * 1_000_000);
        }
        if (again != null) {
            again.close();
            again = null;
        }
        opened = false;
    }
}
