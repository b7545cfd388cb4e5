package glove.sys;

import java.nio.ByteBuffer;

/** Calls on terminals (ioctl_tty(2)): see {@link Linux}. */
abstract class TerminalCalls extends EventCalls {
    /** Bytes of {@link #terminalAttributes}: the kernel's struct termios. */
    public static final int TERMIOS_BYTES = Layouts.TERMIOS_SIZE;

    private static final int TCGETS = 0x5401;
    private static final int TCSETS = 0x5402;
    private static final int TIOCGPGRP = 0x540F;
    private static final int TIOCGWINSZ = 0x5413;
    private static final int TIOCSWINSZ = 0x5414;
    private static final int TERMIOS_ROOM = 64;

    TerminalCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /**
     * Whether a terminal belongs to this process's group now: what is typed is for it
     * (tcgetpgrp(3)). False for what is no terminal, and for one of another session.
     */
    public boolean isForeground(Fd fd) {
        CallMemory memory = CallMemory.get();
        long result = raw(Call.IOCTL, number(fd), TIOCGPGRP, memory.structure(Integer.BYTES));
        return result == 0 && memory.structure().getInt(0) == raw(Call.GETPGID, 0);
    }

    /**
     * Whether a terminal is this process's, and belongs to another group now: reading from it, or
     * setting its attributes, would stop this one (termios(3), job control).
     */
    public boolean isInBackground(Fd terminal) {
        CallMemory memory = CallMemory.get();
        long result = raw(Call.IOCTL, number(terminal), TIOCGPGRP, memory.structure(Integer.BYTES));
        return result == 0 && memory.structure().getInt(0) != raw(Call.GETPGID, 0);
    }

    /** Whether a descriptor is a terminal. */
    public boolean isTerminal(Fd fd) {
        return raw(Call.IOCTL, number(fd), TCGETS, CallMemory.get().structure(TERMIOS_ROOM)) == 0;
    }

    /** A terminal's attributes, as the kernel's struct termios (TCGETS). */
    public byte[] terminalAttributes(Fd terminal) throws ErrnoException {
        return get(terminal, TCGETS, Layouts.TERMIOS_SIZE);
    }

    /** Sets them at once (TCSETS). From a group in the background this stops it (SIGTTOU). */
    public void setTerminalAttributes(Fd terminal, byte[] termios) throws ErrnoException {
        set(terminal, TCSETS, termios);
    }

    /** Rows, columns and pixels, as struct winsize (TIOCGWINSZ). */
    public byte[] windowSize(Fd terminal) throws ErrnoException {
        return get(terminal, TIOCGWINSZ, Layouts.WINSIZE_SIZE);
    }

    /** Sets it; a change is told to the group in front by SIGWINCH (TIOCSWINSZ). */
    public void setWindowSize(Fd terminal, byte[] winsize) throws ErrnoException {
        set(terminal, TIOCSWINSZ, winsize);
    }

    private byte[] get(Fd terminal, int command, int bytes) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.IOCTL, "", number(terminal), command, memory.structure(TERMIOS_ROOM));
        byte[] structure = new byte[bytes];
        memory.structure().get(0, structure);
        return structure;
    }

    private void set(Fd terminal, int command, byte[] structure) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(TERMIOS_ROOM);
        ByteBuffer buffer = memory.structure();
        buffer.put(0, structure);
        checked(Call.IOCTL, "", number(terminal), command, address);
    }
}
