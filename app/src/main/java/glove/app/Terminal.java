package glove.app;

import glove.sandbox.AgentTerminal;
import glove.sandbox.Exit;
import glove.sandbox.RunningSandbox;
import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.Stat;
import glove.sys.TransferBuffer;
import glove.sys.UnixPath;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The caller's terminal while an agent has one of its own inside: passes bytes, size and job
 * control between the two (termios(3), pty(7)). In raw mode only while Glove is in front; put back
 * however the run ends, as long as Glove itself lives.
 *
 * <p>Owns descriptors. Confined to the run's thread.
 */
final class Terminal implements Attendant, AutoCloseable {
    private static final int SIGTSTP = SignalRelay.SIGTSTP;
    private static final int OWN_GROUP = 0;
    private static final int TYPED_BYTES = 4096;
    private static final int SHOWN_BYTES = 64 << 10;

    /** Reads in a row before signals and other attendants have their turn. */
    private static final int ROUNDS = 16;

    /** How often to look, in the background, whether Glove is in front again: nothing tells. */
    private static final int BACKGROUND_MILLIS = 500;

    private static final int STOP_MILLIS = 100;

    /** So often at most: who blocks the signal never stops. */
    private static final int STOP_TRIES = 50;

    private static final int STATUS_BYTES_MAX = 64 << 10;
    private static final String PENDING = "\nShdPnd:\t";

    /** How long a terminal that takes nothing may hold up the end. */
    private static final int STALLED_MILLIS = 5000;

    /**
     * What a program that was killed may have left on: the alternate screen, bracketed paste, the
     * mouse, a hidden cursor, application keys, colours. The cursor is saved first because leaving
     * an alternate screen that is not on would move it.
     */
    private static final byte[] CALM =
            ("\0337\033[?1049l\033[?2004l\033[?1000l\033[?1002l\033[?1003l"
                            + "\033[?1004l\033[?1006l\033[?25h\033[?1l\033>\033[0m")
                    .getBytes(StandardCharsets.US_ASCII);

    private final Linux linux;
    private final Notices notices;
    private final OutputBudget budget;
    private final byte[] before;
    private final boolean standardError;
    private final TransferBuffer typed;
    private final TransferBuffer shown;
    private final Fd screen;
    private @Nullable RunningSandbox sandbox;
    private @Nullable OwnedFd agents;
    private boolean raw;
    private boolean inputEnded;
    private int typing;
    private int talking;
    private int showing;

    private Terminal(Linux linux, Notices notices, OutputBudget budget) throws ErrnoException {
        this.linux = linux;
        this.budget = budget;
        this.notices = notices;
        this.before = linux.terminalAttributes(BorrowedFd.STDIN);
        this.standardError = isSame(linux, BorrowedFd.STDERR);
        this.typed = new TransferBuffer(linux, TYPED_BYTES);
        this.shown = new TransferBuffer(linux, SHOWN_BYTES);
        this.screen = withoutBlocking(linux);
    }

    /** The caller's terminal, when standard input and output are one. */
    static Optional<Terminal> ofCaller(Linux linux, Notices notices, OutputBudget budget)
            throws ErrnoException {
        return linux.isTerminal(BorrowedFd.STDIN) && isSame(linux, BorrowedFd.STDOUT)
                ? Optional.of(new Terminal(linux, notices, budget))
                : Optional.empty();
    }

    private static boolean isSame(Linux linux, Fd other) throws ErrnoException {
        if (!linux.isTerminal(other)) {
            return false;
        }
        Stat input = linux.fstat(BorrowedFd.STDIN);
        Stat output = linux.fstat(other);
        return input.dev() == output.dev() && input.ino() == output.ino();
    }

    /**
     * The terminal opened once more, because a mode of the caller's descriptor would be his
     * shell's, too. Where it cannot be opened by name (after su, say) writing may block.
     */
    private static Fd withoutBlocking(Linux linux) {
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_NONBLOCK | OpenFlags.O_NOCTTY;
        try {
            return linux.open(UnixPath.of("/proc/self/fd/1"), flags, 0);
        } catch (ErrnoException e) {
            return BorrowedFd.STDOUT;
        }
    }

    /** The agent's begins as the caller's is. */
    AgentTerminal forAgent() throws ErrnoException {
        return new AgentTerminal(before, linux.windowSize(BorrowedFd.STDOUT), standardError);
    }

    /** From here on shows the terminal of this sandbox. */
    void show(RunningSandbox running) throws ErrnoException {
        sandbox = running;
        agents = running.takeTerminal();
        if (standardError) {
            notices.sayOn(Optional.of(this));
        }
        adjust();
    }

    /** Writes as much as the terminal takes now. */
    void show(byte[] bytes) {
        try {
            int at = 0;
            while (at < bytes.length) {
                at += linux.write(screen, Arrays.copyOfRange(bytes, at, bytes.length));
            }
        } catch (ErrnoException e) {
            // EAGAIN: it takes nothing; EIO: it has hung up. What was for it is lost.
        }
    }

    /** Brings mode and size up to date, when Glove is in front. */
    void adjust() throws ErrnoException {
        if (agents == null || linux.isInBackground(BorrowedFd.STDIN)) {
            return;
        }
        linux.setTerminalAttributes(BorrowedFd.STDIN, raw(before));
        raw = true;
        notices.setRaw(true);
        linux.setWindowSize(agents, linux.windowSize(BorrowedFd.STDOUT));
    }

    private void putBack() throws ErrnoException {
        if (raw && !linux.isInBackground(BorrowedFd.STDIN)) {
            linux.setTerminalAttributes(BorrowedFd.STDIN, before);
        }
        raw = false;
        notices.setRaw(false);
    }

    /** Every byte passes as it is (cfmakeraw(3)). */
    static byte[] raw(byte[] termios) {
        byte[] raw = termios.clone();
        clear(raw, 0, 01 | 02 | 010 | 040 | 0100 | 0200 | 0400 | 02000); // BRK.. ICRNL, IXON
        clear(raw, 4, 01); // OPOST
        clear(raw, 8, 060 | 0400); // CSIZE, PARENB
        raw[8] |= 060; // CS8
        clear(raw, 12, 01 | 02 | 010 | 0100 | 0100000); // ISIG ICANON ECHO ECHONL IEXTEN
        raw[17 + 6] = 1; // VMIN
        raw[17 + 5] = 0; // VTIME
        return raw;
    }

    /** Clears bits of a little-endian word. */
    private static void clear(byte[] structure, int at, int bits) {
        for (int i = 0; i < Integer.BYTES; i++) {
            structure[at + i] &= (byte) ~(bits >>> (8 * i));
        }
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> awaited = new ArrayList<>();
        typing = -1;
        talking = -1;
        showing = -1;
        if (raw && !inputEnded && !typed.isFull()) {
            typing = awaited.size();
            awaited.add(new PollFd(BorrowedFd.STDIN, PollFd.POLLIN));
        }
        int events = (shown.isEmpty() ? PollFd.POLLIN : 0) | (typed.isEmpty() ? 0 : PollFd.POLLOUT);
        if (agents != null && events != 0) {
            talking = awaited.size();
            awaited.add(new PollFd(agents, events));
        }
        if (!shown.isEmpty()) {
            showing = awaited.size();
            awaited.add(new PollFd(screen, PollFd.POLLOUT));
        }
        return awaited;
    }

    @Override
    public long patience() {
        return raw ? UNLIMITED : BACKGROUND_MILLIS;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        if (!raw) {
            adjust();
        }
        if (typing >= 0 && happened[from + typing] != 0) {
            inputEnded = !fill(typed, BorrowedFd.STDIN);
        }
        if (showing >= 0 && happened[from + showing] != 0) {
            drain(shown, screen);
        }
        if (talking >= 0 && agents != null) {
            int events = happened[from + talking];
            if ((events & PollFd.POLLIN) != 0) {
                pass(agents);
            }
            if ((events & PollFd.POLLOUT) != 0) {
                drain(typed, agents);
            }
        }
    }

    /** Output of the agent goes to the screen as long as both keep up. */
    private void pass(Fd from) throws ErrnoException {
        for (int i = 0; i < ROUNDS && shown.isEmpty(); i++) {
            int before = shown.waiting();
            if (!show(from) || shown.waiting() == before) {
                return;
            }
            drain(shown, screen);
        }
    }

    /** As {@link #fill}; what is beyond the limit of output is read and not shown. */
    private boolean show(Fd from) throws ErrnoException {
        int before = shown.waiting();
        boolean more = fill(shown, from);
        if (budget.counts()) {
            shown.cutTo(before + budget.allow(shown.waiting() - before));
        }
        return more;
    }

    /** False at the end: that of a file, or a terminal's hang-up. */
    private static boolean fill(TransferBuffer buffer, Fd from) throws ErrnoException {
        try {
            return buffer.fill(from) > 0;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return true;
            }
            if (e.errno() == Errno.EIO) {
                return false;
            }
            throw e;
        }
    }

    /** A terminal that has hung up takes nothing any more: what was for it is lost. */
    private static void drain(TransferBuffer buffer, Fd to) throws ErrnoException {
        if (buffer.isEmpty()) {
            return;
        }
        try {
            buffer.drain(to);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EIO) {
                buffer.clear();
            } else if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
        }
    }

    /**
     * Ctrl-Z of a program that is not a shell's: Glove's whole group stops as it would, and goes on
     * here when it is continued. The kernel does not stop a group that nobody could continue.
     * Everything inside stops with it: while Glove is stopped nobody watches over limits and names.
     */
    @Override
    public void stopped() throws ErrnoException {
        if (agents == null || sandbox == null) {
            return;
        }
        sandbox.freeze();
        finish(agents);
        putBack();
        linux.kill(OWN_GROUP, SIGTSTP);
        awaitStop();
        adjust();
        sandbox.thaw();
    }

    /** The signal may reach another thread first; going on before it stops all would undo it. */
    private void awaitStop() throws ErrnoException {
        int tries = 0;
        do {
            RunLoop.pause(linux, List.of(), STOP_MILLIS);
            tries++;
        } while (tries < STOP_TRIES && isStopPending());
    }

    /** Whether the signal still waits for that thread to run (proc_pid_status(5)). */
    private boolean isStopPending() throws ErrnoException {
        UnixPath file = UnixPath.of("/proc/self/status");
        String status =
                new String(linux.readFile(file, STATUS_BYTES_MAX), StandardCharsets.US_ASCII);
        int at = status.indexOf(PENDING) + PENDING.length();
        long pending = Long.parseUnsignedLong(status.substring(at, status.indexOf('\n', at)), 16);
        return (pending >>> (SIGTSTP - 1) & 1) != 0;
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
        if (agents != null) {
            finish(agents);
        }
        if (exit instanceof Exit.Signaled && raw) {
            show(CALM);
        }
        putBack();
    }

    /** Shows what the agent has written so far. */
    private void finish(Fd from) throws ErrnoException {
        for (; ; ) {
            int before = shown.waiting();
            boolean more = shown.isFull() || (show(from) && shown.waiting() > before);
            if (shown.isEmpty() && !more) {
                return;
            }
            if (!linux.awaitRoom(screen, STALLED_MILLIS)) {
                return;
            }
            drain(shown, screen);
        }
    }

    /** The terminal is as it was. */
    @Override
    public void close() {
        try {
            putBack();
        } catch (ErrnoException e) {
            // It is gone: there is nothing to put back.
        }
        notices.sayOn(Optional.empty());
        if (agents != null) {
            agents.close();
        }
        if (screen instanceof OwnedFd owned) {
            owned.close();
        }
    }
}
