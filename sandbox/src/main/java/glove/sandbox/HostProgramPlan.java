package glove.sandbox;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

/**
 * Turns a {@link HostProgram} into a launch plan: a pid namespace of its own, because the kernel
 * ends all of one with its process 1, and nothing else that the program could tell from the host.
 * Pure.
 *
 * <p>A pid namespace needs a mount namespace, for a proc that shows it. Who lacks CAP_SYS_ADMIN
 * makes both in a user namespace where the caller's one id is itself.
 */
final class HostProgramPlan {
    private static final long CLONE_NEWUSER = 0x1000_0000L;
    private static final long CLONE_NEWNS = 0x0002_0000L;
    private static final long CLONE_NEWPID = 0x2000_0000L;
    private static final int CLOSE_RANGE_CLOEXEC = 4;
    private static final UnixPath HERE = UnixPath.of(".");
    private static final int FIRST_STEP_FD = 11;
    private static final int STANDARD_STREAMS_AND_PLAN = 3;
    private static final long LAST_FD = 0xffff_ffffL;

    private final HostProgram program;
    private final CallerRights caller;
    private final PlanWriter plan;

    private HostProgramPlan(HostProgram program, CallerRights caller) {
        this.program = program;
        this.caller = caller;
        this.plan = new PlanWriter(caller.arch());
    }

    static LaunchPlan of(HostProgram program, CallerRights caller) {
        return new HostProgramPlan(program, caller).build();
    }

    private LaunchPlan build() {
        showOwnProcesses(plan.init());
        addProgram(plan.agent());
        settle(plan.settle());
        long namespaces = CLONE_NEWNS | CLONE_NEWPID;
        if (caller.mayMount()) {
            return plan.finish(namespaces, "", "", false);
        }
        return plan.finish(
                namespaces | CLONE_NEWUSER, itself(caller.uid()), itself(caller.gid()), true);
    }

    /** The mapping of one id to itself (user_namespaces(7)). */
    static String itself(int id) {
        String number = Integer.toUnsignedString(id);
        return number + " " + number + " 1\n";
    }

    /**
     * Mounts follow the host's instead of being cut off, so that what is mounted there later is
     * seen, and what is unmounted there is not held.
     */
    private void showOwnProcesses(Steps init) {
        Mounts mounts = new Mounts(init);
        init.about("private mounts");
        mounts.makeAllFollow();
        init.about("proc");
        Slot proc = mounts.filesystem("proc", Mounts.NOSUID | Mounts.NODEV | Mounts.NOEXEC);
        mounts.attach(proc, Arg.CWD, "/proc");
        init.close(proc);
    }

    /**
     * A session of its own: keys typed to the agent's terminal are no signals to it. Executed by
     * path, so that it is called and finds itself as on the host.
     */
    private void addProgram(Steps agent) {
        agent.about("session");
        agent.run(Call.SETSID);
        agent.about("open file limit");
        Arg limit = plan.longs(caller.openFiles().soft(), caller.openFiles().hard());
        agent.run(Call.PRLIMIT64, Arg.ZERO, Arg.imm(Linux.RLIMIT_NOFILE), limit, Arg.ZERO);
        HostProgram.Origin origin = program.origin();
        agent.about("working directory", origin.start());
        agent.run(Call.CHDIR, plan.text(origin.start()));
        expect(agent, HERE, origin.identity());
        Program file = program.program();
        for (Program.Interpreter interpreter : file.interpreters()) {
            agent.about("interpreter", interpreter.path());
            expect(agent, interpreter.path(), interpreter.identity());
        }
        agent.about("program", file.path());
        expect(agent, file.path(), file.identity());
        Arg argv = agent.strings(program.argv());
        Arg envp = agent.strings(program.environment());
        agent.run(Call.CLOSE_RANGE, Arg.imm(3), Arg.imm(LAST_FD), Arg.imm(CLOSE_RANGE_CLOEXEC));
        agent.exec(Arg.CWD, plan.text(file.path()), argv, envp, 0);
    }

    private void expect(Steps agent, UnixPath path, Identity identity) {
        int flags = OpenFlags.O_PATH | OpenFlags.O_CLOEXEC;
        Slot fd = agent.get(Call.OPENAT, Arg.CWD, plan.text(path), Arg.imm(flags), Arg.ZERO);
        agent.expectFile(fd, identity);
        agent.close(fd);
    }

    /** Else a stream the program closes would stay open. */
    private void settle(Steps settle) {
        settle.about("process 1");
        settle.run(Call.CLOSE_RANGE, Arg.ZERO, Arg.imm(STANDARD_STREAMS_AND_PLAN), Arg.ZERO);
        settle.run(Call.CLOSE_RANGE, Arg.imm(FIRST_STEP_FD), Arg.imm(LAST_FD), Arg.ZERO);
    }
}
