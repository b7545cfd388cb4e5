package glove.sandbox;

import glove.sys.Call;
import glove.sys.OpenFlags;

import java.util.Arrays;

/**
 * The steps that give the agent a terminal (ioctl_tty(2), pty(7)). Process 1 leads the terminal's
 * session and the agent's group stands in front of it: an agent that led the session itself would
 * be an orphaned group, which the kernel never stops, so Ctrl-Z would be lost.
 */
final class TerminalSteps {
    /** What its controlling side is handed out as. */
    static final int HANDED = 0;

    private static final int TCSETS = 0x5402;
    private static final int TIOCSCTTY = 0x540E;
    private static final int TIOCSPGRP = 0x5410;
    private static final int TIOCSWINSZ = 0x5414;
    private static final long TIOCSPTLCK = 0x4004_5431L;
    private static final int TIOCGPTPEER = 0x5441; // since 4.13
    private static final int OPEN = OpenFlags.O_RDWR | OpenFlags.O_NOCTTY | OpenFlags.O_CLOEXEC;

    /** plan.h: what the structure of any ioctl step has; the kernel reads less. */
    private static final int IOCTL_BYTES = 64;

    private TerminalSteps() {}

    /** Of process 1, inside the new root: its own descriptors 0, 1 and 2 become the terminal. */
    static void make(Steps init, AgentTerminal terminal) {
        PlanWriter plan = init.plan();
        init.about("terminal");
        init.run(Call.SETSID);
        Slot master = init.get(
                Call.OPENAT,
                Arg.CWD,
                plan.text("/dev/pts/ptmx"),
                Arg.imm(OPEN | OpenFlags.O_NONBLOCK),
                Arg.ZERO);
        init.run(Call.IOCTL, Arg.slot(master), Arg.imm(TIOCSPTLCK), plan.room(IOCTL_BYTES));
        Slot slave = init.get(Call.IOCTL, Arg.slot(master), Arg.imm(TIOCGPTPEER), Arg.imm(OPEN));
        set(init, slave, TCSETS, terminal.attributes());
        set(init, slave, TIOCSWINSZ, terminal.windowSize());
        init.run(Call.IOCTL, Arg.slot(slave), Arg.imm(TIOCSCTTY), Arg.ZERO);
        int last = terminal.standardError() ? 2 : 1;
        for (int stream = 0; stream <= last; stream++) {
            init.run(Call.DUP3, Arg.slot(slave), Arg.imm(stream), Arg.ZERO);
        }
        init.close(slave);
        init.handOut(master, HANDED);
        init.close(master);
    }

    private static void set(Steps steps, Slot terminal, int command, byte[] structure) {
        Arg padded = steps.plan().data(Arrays.copyOf(structure, IOCTL_BYTES));
        steps.run(Call.IOCTL, Arg.slot(terminal), Arg.imm(command), padded);
    }

    /** Of the agent's process: a group of its own, in front of the terminal. */
    static void standInFront(Steps agent) {
        Arg group = agent.plan().room(IOCTL_BYTES);
        agent.run(Call.SETPGID, Arg.ZERO, Arg.ZERO);
        Slot pid = agent.get(Call.GETPID);
        agent.store(pid, group.part(0, Integer.BYTES));
        agent.run(Call.IOCTL, Arg.ZERO, Arg.imm(TIOCSPGRP), group);
    }
}
