package glove.sandbox;

import glove.sys.Arch;
import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;

/**
 * One thing of the kernel that a sandbox is made of, tried alone by a launch plan of its own, to
 * tell which of them a host refuses. Needs no program: a trial ends at a step that fails on
 * purpose, behind the one that matters. Leaves nothing: the kernel takes namespaces back with the
 * last process in them.
 */
public enum KernelTrial {
    /** CLONE_NEWUSER alone, and the identity in it (user_namespaces(7)). */
    USER_NAMESPACE("user_namespace", 0),
    /** CLONE_NEWNS, of a new user namespace; so are those below. */
    MOUNT_NAMESPACE("mount_namespace", Namespaces.MOUNT),
    /** CLONE_NEWPID. */
    PID_NAMESPACE("pid_namespace", Namespaces.PID),
    /** CLONE_NEWNET. */
    NETWORK_NAMESPACE("network_namespace", Namespaces.NETWORK),
    /** CLONE_NEWIPC. */
    IPC_NAMESPACE("ipc_namespace", Namespaces.IPC),
    /** CLONE_NEWUTS, and a name of its own: what AppArmor takes away is the capability. */
    UTS_NAMESPACE("uts_namespace", Namespaces.UTS),
    /** CLONE_NEWCGROUP. */
    CGROUP_NAMESPACE("cgroup_namespace", Namespaces.CGROUP),
    /** A tmpfs by fsopen(2), made read-only by mount_setattr(2), attached by move_mount(2). */
    MOUNTS("mounts", Namespaces.MOUNT),
    /** A proc of a new pid namespace, which a container with a masked one refuses. */
    PROC("proc", Namespaces.MOUNT | Namespaces.PID),
    /** The agent's filter, and a call that it denies. */
    SECCOMP("seccomp", Namespaces.UTS),
    /** A Landlock domain without rules, and a directory opened in it. */
    LANDLOCK("landlock", 0);

    private static final String FORBIDDEN = "a call that must be refused";
    private static final String DONE = "the end of the trial";
    private static final int PR_SET_NO_NEW_PRIVS = 38;

    private final String code;
    private final long namespaces;

    KernelTrial(String code, long namespaces) {
        this.code = code;
        this.namespaces = namespaces;
    }

    /** CLONE_NEW* (linux/sched.h). */
    private static final class Namespaces {
        private static final long MOUNT = 0x0002_0000;
        private static final long CGROUP = 0x0200_0000;
        private static final long UTS = 0x0400_0000;
        private static final long IPC = 0x0800_0000;
        private static final long USER = 0x1000_0000;
        private static final long PID = 0x2000_0000;
        private static final long NETWORK = 0x4000_0000;
    }

    /** A name for programs: it does not change. */
    public String code() {
        return code;
    }

    /**
     * Tries it; blocks until it is known, or the time is over.
     *
     * @param deadline of {@link System#nanoTime}; nothing of the trial is left then
     * @return what stands in the way, in words; empty when the kernel does it
     * @throws LaunchException when it could not be tried
     */
    public String obstacle(Linux linux, Launcher launcher, long deadline) throws LaunchException {
        if (this == LANDLOCK && linux.landlockAbi() == 0) {
            return "the kernel has no Landlock, or does not start with it";
        }
        LaunchPlan plan = plan(linux);
        try (ProgramPipes pipes = ProgramPipes.open(linux);
                RunningSandbox running = launcher.start(plan, pipes.forProgram())) {
            running.setDeadline(deadline);
            running.releaseAhead();
            LaunchStatus last = running.receive();
            while (last.kind() == LaunchStatus.CREATED) {
                last = running.receive();
            }
            if (isAsWanted(plan, last)) {
                return "";
            }
            String words = words(linux, plan, last);
            LaunchException failure = new LaunchException(words, last);
            if (failure.isForWantOfRoom()) {
                throw failure;
            }
            return words;
        } catch (ErrnoException e) {
            throw new LaunchException("cannot make pipes: " + e.getMessage(), e);
        }
    }

    private boolean isAsWanted(LaunchPlan plan, LaunchStatus last) {
        String purpose = plan.subjectOf(last.value()).purpose();
        return last.kind() == LaunchStatus.FAILED
                && last.stage() == LaunchStatus.STAGE_AGENT
                && (isDenial()
                        ? purpose.equals(FORBIDDEN) && last.errno() == denial()
                        : purpose.equals(DONE));
    }

    private boolean isDenial() {
        return this == SECCOMP || this == LANDLOCK;
    }

    private int denial() {
        return this == SECCOMP ? Errno.EPERM : Errno.EACCES;
    }

    private static String words(Linux linux, LaunchPlan plan, LaunchStatus last) {
        return plan.subjectOf(last.value()).purpose().equals(DONE)
                        && last.kind() == LaunchStatus.FAILED
                ? "it was set up without an error, and does not hold"
                : LaunchFailure.words(linux, plan, last);
    }

    private LaunchPlan plan(Linux linux) {
        PlanWriter plan = new PlanWriter(Arch.host());
        addInit(plan.init());
        addAgent(plan.agent());
        plan.agent().about(DONE);
        // One byte of zeroed scratch is not one; what would come next is never reached.
        plan.agent().expect(0, 0xff, 1, Errno.EINVAL);
        Arg none = plan.room(Long.BYTES);
        plan.agent().exec(Arg.CWD, plan.text("/"), none, none, 0);
        return plan.finish(
                Namespaces.USER | namespaces,
                HostProgramPlan.itself(linux.geteuid()),
                HostProgramPlan.itself(linux.getegid()),
                true);
    }

    private void addInit(Steps init) {
        Mounts mounts = new Mounts(init);
        if (this == MOUNTS) {
            init.about("mounts");
            mounts.makeAllPrivate();
            Slot made = mounts.filesystem("tmpfs", Mounts.NOSUID | Mounts.NODEV, "size", "4096");
            mounts.restrictOne(made, Mounts.RDONLY);
            mounts.attach(made, Arg.CWD, "/");
            init.close(made);
        } else if (this == PROC) {
            init.about("private mounts");
            mounts.makeAllPrivate();
            init.about("proc");
            Slot made = mounts.filesystem(
                    "proc", Mounts.NOSUID | Mounts.NODEV | Mounts.NOEXEC, "hidepid", "ptraceable");
            init.close(made);
        } else if (this == UTS_NAMESPACE) {
            init.about("host name");
            Arg name = init.plan().data(new byte[] {'g'});
            init.run(Call.SETHOSTNAME, name, Arg.imm(name.length()));
        }
    }

    private void addAgent(Steps agent) {
        if (!isDenial()) {
            return;
        }
        agent.about("no_new_privs");
        Arg one = Arg.imm(1);
        agent.run(Call.PRCTL, Arg.imm(PR_SET_NO_NEW_PRIVS), one, Arg.ZERO, Arg.ZERO, Arg.ZERO);
        if (this == SECCOMP) {
            agent.about("filter");
            agent.filter(SeccompProgram.forAgent(Arch.host(), SeccompProgram.Sockets.OFFLINE));
            agent.about(FORBIDDEN);
            agent.run(Call.UNSHARE, Arg.imm(Namespaces.UTS));
        } else {
            new Landlock(agent, 1, false).enforce();
            agent.about(FORBIDDEN);
            int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_CLOEXEC;
            agent.run(Call.OPENAT, Arg.CWD, agent.plan().text("/"), Arg.imm(flags), Arg.ZERO);
        }
    }
}
