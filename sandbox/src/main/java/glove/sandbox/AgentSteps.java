package glove.sandbox;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;

/**
 * The steps of the agent's process: from a privileged child of process 1 to the program, without
 * any capability, in a user namespace of its own whose owner cannot touch the mounts.
 *
 * <p>Order matters: identity before the namespace (its owner is the agent), the namespace before
 * what needs its capabilities, no_new_privs before Landlock and the filter, the filter last.
 */
final class AgentSteps {
    private static final int CLONE_NEWUSER = 0x1000_0000;
    private static final int EPERM = 1;
    private static final int EINVAL = 22;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int CLOSE_RANGE_CLOEXEC = 4;
    private static final int RLIMIT_DATA = 2;
    private static final int RLIMIT_CORE = 4;
    private static final int RLIMIT_NPROC = 6;

    private static final int PR_SET_DUMPABLE = 4;
    private static final int PR_CAPBSET_DROP = 24;
    private static final int PR_SET_SECUREBITS = 28;
    private static final int PR_SET_NO_NEW_PRIVS = 38;

    /** capability.h: more than any kernel has today; those it lacks answer EINVAL. */
    private static final int CAP_LAST = 44;

    /** NOROOT, NO_SETUID_FIXUP, NO_CAP_AMBIENT_RAISE, each locked, and KEEP_CAPS locked off. */
    private static final int SECUREBITS = 0xef;

    /** What the listener of a watched agent's filter is handed out as. */
    static final int HANDED_LISTENER = -1;

    private static final String[] NESTED = {"user", "pid", "net", "ipc", "uts"};
    private static final String[] NEVER_NESTED = {"mnt", "cgroup", "time"};

    /** Of each kind at once; a browser takes one or two, a test run some browsers. */
    private static final String NAMESPACES_MAX = "64";

    static final int LINUX_CAPABILITY_VERSION_3 = 0x2008_0522;

    private final PlanWriter plan;
    private final Steps steps;
    private final Profile profile;

    /**
     * What process 1 hands to the agent's phase.
     *
     * @param procView detached proc, still writable where the visible one is not
     * @param callersUmask the mask process 1 found
     */
    record FromInit(Slot procView, Slot callersUmask) {}

    /** Adds all the steps to the plan's agent phase. */
    AgentSteps(PlanWriter plan, Profile profile, AgentRlimits limits, FromInit fromInit) {
        this.plan = plan;
        this.steps = plan.agent();
        this.profile = profile;
        steps.about("session");
        if (profile.terminal().isPresent()) {
            TerminalSteps.standInFront(steps);
        } else {
            steps.run(Call.SETSID);
        }
        steps.run(Call.UMASK, Arg.slot(fromInit.callersUmask()));
        becomeAgent();
        enterUserNamespace(fromInit.procView());
        limitResources(limits);
        steps.about("working directory", profile.workingDirectory());
        steps.run(Call.CHDIR, plan.text(profile.workingDirectory()));
        Slot program = openProgram();
        dropCapabilities();
        confine();
        execute(program);
    }

    /**
     * Core dumps: 1, not 0, because a core_pattern that pipes to a program of the host ignores 0
     * (core(5)). Processes, signals, message queues: set in the agent's own user namespace these
     * limits count only what is inside.
     */
    private void limitResources(AgentRlimits limits) {
        steps.about("resource limits");
        limit(RLIMIT_CORE, limits.coreBytes());
        limit(RLIMIT_NPROC, limits.processes());
        limit(Linux.RLIMIT_SIGPENDING, limits.queues().signals());
        limit(Linux.RLIMIT_MSGQUEUE, limits.queues().messageBytes());
        if (limits.dataBytes() != Limits.NONE) {
            limit(RLIMIT_DATA, limits.dataBytes());
        }
    }

    private void limit(int resource, long value) {
        steps.run(Call.PRLIMIT64, Arg.ZERO, Arg.imm(resource), plan.longs(value, value), Arg.ZERO);
    }

    private void becomeAgent() {
        steps.about("identity");
        if (profile.ids().separate()) {
            Arg id = Arg.imm(Ids.AGENT);
            steps.run(Call.SETRESGID, id, id, id);
            steps.run(Call.SETRESUID, id, id, id);
        }
    }

    private void enterUserNamespace(Slot procView) {
        steps.about("second user namespace");
        steps.run(Call.UNSHARE, Arg.imm(CLONE_NEWUSER));
        // A change of identity made the process undumpable, and its proc files root's.
        prctl(PR_SET_DUMPABLE, 1);
        Ids ids = profile.ids();
        writeProc(procView, "self/setgroups", "deny");
        writeProc(procView, "self/uid_map", ids.agentMap());
        writeProc(procView, "self/gid_map", ids.agentMap());
        expectProc(procView, "self/uid_map", ids.agentMapShown());
        expectProc(procView, "self/gid_map", ids.agentMapShown());
        limitNamespaces(procView);
    }

    /** Counted up the tree of user namespaces (namespaces(7)): what is 0 here is 0 in every one. */
    private void limitNamespaces(Slot procView) {
        steps.about("limits of namespaces");
        if (profile.nesting() == Nesting.NONE) {
            writeProc(procView, "sys/user/max_user_namespaces", "0");
            return;
        }
        boolean mounts = profile.nesting().allowsMounts();
        for (String kind : NESTED) {
            writeProc(procView, "sys/user/max_" + kind + "_namespaces", NAMESPACES_MAX);
        }
        for (String kind : NEVER_NESTED) {
            String most = mounts && kind.equals("mnt") ? NAMESPACES_MAX : "0";
            writeProc(procView, "sys/user/max_" + kind + "_namespaces", most);
        }
    }

    private void writeProc(Slot proc, String file, String text) {
        Slot fd = steps.get(
                Call.OPENAT,
                Arg.slot(proc),
                plan.text(file),
                Arg.imm(OpenFlags.O_WRONLY | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
        Arg data = plan.data(text.getBytes(StandardCharsets.US_ASCII));
        steps.run(Call.WRITE, Arg.slot(fd), data, Arg.imm(data.length()));
        steps.close(fd);
    }

    private void expectProc(Slot proc, String file, String text) {
        readBack(steps, Arg.slot(proc), file, text);
    }

    /** EPERM unless a proc file says exactly this. */
    static void readBack(Steps steps, Arg directory, String file, String text) {
        PlanWriter plan = steps.plan();
        Slot fd = steps.get(
                Call.OPENAT, directory, plan.text(file), Arg.imm(OpenFlags.O_CLOEXEC), Arg.ZERO);
        int room = text.length() + 64;
        steps.run(Call.READ, Arg.slot(fd), Arg.out(0, room), Arg.imm(room));
        steps.expectText(text, EPERM);
        steps.close(fd);
    }

    private Slot openProgram() {
        Program program = profile.program();
        steps.about("program", program.path());
        for (Program.Interpreter interpreter : program.interpreters()) {
            steps.about("interpreter", interpreter.path());
            Slot fd = open(interpreter.path());
            steps.expectFile(fd, interpreter.identity());
            steps.close(fd);
        }
        steps.about("program", program.path());
        Slot fd = open(program.path());
        steps.expectFile(fd, program.identity());
        return fd;
    }

    private Slot open(UnixPath path) {
        return steps.get(
                Call.OPENAT,
                Arg.CWD,
                plan.text(path),
                Arg.imm(OpenFlags.O_PATH | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
    }

    private void dropCapabilities() {
        steps.about("capabilities");
        prctl(PR_SET_SECUREBITS, SECUREBITS);
        for (int capability = 0; capability <= CAP_LAST; capability++) {
            steps.runUnless(
                    EINVAL,
                    Call.PRCTL,
                    Arg.imm(PR_CAPBSET_DROP),
                    Arg.imm(capability),
                    Arg.ZERO,
                    Arg.ZERO,
                    Arg.ZERO);
        }
        setCapabilities(steps, 0);
    }

    /** Effective and permitted sets become these of the first 32 capabilities; none inheritable. */
    static void setCapabilities(Steps steps, int low) {
        PlanWriter plan = steps.plan();
        steps.run(
                Call.CAPSET,
                plan.ints(LINUX_CAPABILITY_VERSION_3, 0),
                plan.ints(low, low, 0, 0, 0, 0));
    }

    private void confine() {
        steps.about("no_new_privs");
        prctl(PR_SET_NO_NEW_PRIVS, 1);
        int abi = profile.host().landlockAbi();
        boolean tcp = profile.loopback().isPresent();
        if (profile.nesting().allowsMounts()) {
            Landlock.withoutFiles(steps, abi, tcp);
        } else if (abi > 0) {
            addLandlock(new Landlock(steps, abi, tcp));
        }
        steps.about("descriptors");
        steps.run(
                Call.CLOSE_RANGE, Arg.imm(3), Arg.imm(0xffff_ffffL), Arg.imm(CLOSE_RANGE_CLOEXEC));
    }

    private void addLandlock(Landlock landlock) {
        landlock.allowReading(UnixPath.of("/"));
        landlock.allowDevices(UnixPath.of("/dev"));
        landlock.allowDevices(UnixPath.of("/proc"));
        for (String device : RootSteps.DEVICES) {
            landlock.allowDevice(UnixPath.of("/dev/" + device));
        }
        landlock.allowWriting(PrivateDirectories.SHM, true);
        landlock.allowWriting(profile.directories().home(), true);
        landlock.allowWriting(profile.directories().temporary(), true);
        if (profile.directories().varTmp()) {
            landlock.allowWriting(PrivateDirectories.VAR_TMP, true);
        }
        for (Grant grant : profile.grants().list()) {
            if (grant.writable()) {
                landlock.allowWriting(grant.path(), grant.identity().isDirectory());
            }
        }
        landlock.enforce();
    }

    private void execute(Slot program) {
        Arg argv = steps.strings(profile.argv());
        Arg envp = steps.strings(profile.environment());
        steps.about("filter");
        installFilter();
        steps.about("program", profile.program().path());
        if (profile.program().isScript()) {
            // A script's interpreter opens it again by name; a descriptor would be closed by then.
            steps.exec(Arg.CWD, plan.text(profile.program().path()), argv, envp, 0);
        } else {
            steps.exec(Arg.slot(program), plan.emptyText(), argv, envp, AT_EMPTY_PATH);
        }
    }

    private void installFilter() {
        SeccompProgram.Sockets sockets = profile.loopback().isPresent()
                ? SeccompProgram.Sockets.LOOPBACK_EGRESS
                : SeccompProgram.Sockets.OFFLINE;
        byte[] program =
                SeccompProgram.forAgent(plan.arch(), sockets, profile.nesting(), profile.watched());
        if (!profile.watched()) {
            steps.filter(program);
            return;
        }
        Slot listener = steps.filterWithListener(program);
        steps.handOut(listener, HANDED_LISTENER);
        steps.close(listener);
    }

    private void prctl(int option, long value) {
        steps.run(Call.PRCTL, Arg.imm(option), Arg.imm(value), Arg.ZERO, Arg.ZERO, Arg.ZERO);
    }
}
