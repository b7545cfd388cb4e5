package glove.sandbox;

import glove.sys.Call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Turns a {@link Profile} into a {@link LaunchPlan}. Pure: nothing is looked up here. */
final class SandboxPlan {
    private static final long NAMESPACES = 0x1000_0000L // CLONE_NEWUSER
            | 0x0002_0000L // CLONE_NEWNS
            | 0x2000_0000L // CLONE_NEWPID
            | 0x4000_0000L // CLONE_NEWNET
            | 0x0800_0000L // CLONE_NEWIPC
            | 0x0400_0000L; // CLONE_NEWUTS

    private static final long CLONE_NEWCGROUP = 0x0200_0000L;

    private static final int RLIMIT_NOFILE = 7;
    private static final int KEYCTL_JOIN_SESSION_KEYRING = 1;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int CAP_KILL = 5;
    private static final int FIRST_STEP_FD = 11;

    private final Profile profile;
    private final AgentRlimits limits;
    private final Set<Long> plainDevices;
    private final CgroupView cgroupView;
    private final PlanWriter plan;

    /** Which names of control groups are seen inside (cgroup_namespaces(7)). */
    enum CgroupView {
        /** Those below the group Glove is in, by a namespace. */
        OWN,
        /** The caller's, where a namespace is refused; nothing can be mounted or written by it. */
        CALLERS
    }

    private SandboxPlan(
            Profile profile, AgentRlimits limits, Set<Long> plainDevices, CgroupView cgroupView) {
        this.profile = profile;
        this.limits = limits;
        this.plainDevices = plainDevices;
        this.cgroupView = cgroupView;
        this.plan = new PlanWriter(profile.host().arch());
    }

    /**
     * The plan of this profile.
     *
     * @param plainDevices filesystems known to refuse idmapped mounts, by device word
     */
    static LaunchPlan of(Profile profile, AgentRlimits limits, Set<Long> plainDevices) {
        return of(profile, limits, plainDevices, CgroupView.OWN);
    }

    /** The same with another view of control groups. */
    static LaunchPlan of(
            Profile profile, AgentRlimits limits, Set<Long> plainDevices, CgroupView cgroupView) {
        return new SandboxPlan(profile, limits, plainDevices, cgroupView).build();
    }

    private LaunchPlan build() {
        setOpenFiles(plan.outer(), limits.openFiles().hard());
        // Only host root may open every path, so its trees are made outside.
        GrantTrees outside = new GrantTrees(plan.outer(), profile.ids(), plainDevices);
        List<Slot> opened = openOutside(outside, profile.grants().list());
        List<Slot> openedForHome = openOutside(outside, profile.home().sources());

        Steps init = plan.init();
        becomeInit(init);
        Slot umask = init.get(Call.UMASK, Arg.imm(022));
        RootSteps root = new RootSteps(plan, profile);
        root.addGuestPrograms(profile.guestPrograms());
        GrantTrees inside = new GrantTrees(init, profile.ids(), plainDevices);
        new PrivateSteps(plan, profile, root, openedForHome, inside).add();
        addGrants(root, inside, opened);
        for (Guard guard : profile.guards().list()) {
            root.addGuard(guard);
        }
        addSockets(root);
        root.enter();
        readBackMaps(init);
        if (profile.loopback().isPresent()) {
            LoopbackSteps.make(init, root.procView(), profile.loopback().get());
        }
        if (profile.terminal().isPresent()) {
            TerminalSteps.make(init, profile.terminal().get());
        }

        setOpenFiles(plan.agent(), limits.openFiles().soft());
        new AgentSteps(plan, profile, limits, new AgentSteps.FromInit(root.procView(), umask));
        settle(plan.settle());
        long own = cgroupView == CgroupView.OWN ? CLONE_NEWCGROUP : 0;
        return plan.finish(NAMESPACES | own, profile.ids());
    }

    private void setOpenFiles(Steps steps, long soft) {
        steps.about("open file limit");
        Arg limit = plan.longs(soft, limits.openFiles().hard());
        steps.run(Call.PRLIMIT64, Arg.ZERO, Arg.imm(RLIMIT_NOFILE), limit, Arg.ZERO);
    }

    private List<Slot> openOutside(GrantTrees trees, List<Grant> grants) {
        List<Slot> opened = new ArrayList<>();
        if (profile.ids().separate()) {
            for (Grant grant : grants) {
                opened.add(trees.open(grant));
            }
        }
        return opened;
    }

    private void addGrants(RootSteps root, GrantTrees inside, List<Slot> opened) {
        Steps init = plan.init();
        List<Grant> grants = profile.grants().list();
        for (int i = 0; i < grants.size(); i++) {
            Grant grant = grants.get(i);
            Slot tree = opened.isEmpty() ? inside.open(grant) : opened.get(i);
            root.addGrant(grant, tree);
            init.close(tree);
        }
    }

    private void addSockets(RootSteps root) {
        List<AgentSocket> sockets = profile.sockets();
        if (!sockets.isEmpty()) {
            List<Slot> trees = SocketSteps.make(plan.init(), sockets);
            for (int i = 0; i < sockets.size(); i++) {
                root.addSocket(sockets.get(i).path(), trees.get(i));
            }
        }
    }

    private void becomeInit(Steps init) {
        init.about("identity");
        if (profile.ids().separate()) {
            init.run(Call.SETGROUPS, Arg.ZERO, Arg.ZERO);
            init.run(Call.SETRESGID, Arg.ZERO, Arg.ZERO, Arg.ZERO);
            init.run(Call.SETRESUID, Arg.ZERO, Arg.ZERO, Arg.ZERO);
        }
        if (profile.host().keyrings()) {
            init.run(Call.KEYCTL, Arg.imm(KEYCTL_JOIN_SESSION_KEYRING), Arg.ZERO);
        }
        init.about("host name");
        Arg name = plan.data("glove".getBytes(StandardCharsets.US_ASCII));
        init.run(Call.SETHOSTNAME, name, Arg.imm(name.length()));
        init.run(Call.SETDOMAINNAME, name, Arg.imm(name.length()));
    }

    private void readBackMaps(Steps init) {
        init.about("id mappings");
        Ids ids = profile.ids();
        AgentSteps.readBack(init, Arg.CWD, "/proc/self/uid_map", ids.initUidMapShown());
        AgentSteps.readBack(init, Arg.CWD, "/proc/self/gid_map", ids.initGidMapShown());
    }

    /**
     * Process 1 keeps its pipes and the right to signal the agent, and can do nothing else. It
     * keeps the agent's terminal open too: one that nobody has open looks ended from outside.
     */
    private void settle(Steps settle) {
        settle.about("process 1");
        Arg first = Arg.imm(profile.terminal().isPresent() ? 1 : 0);
        settle.run(Call.CLOSE_RANGE, first, Arg.imm(3), Arg.ZERO);
        settle.run(Call.CLOSE_RANGE, Arg.imm(FIRST_STEP_FD), Arg.imm(0xffff_ffffL), Arg.ZERO);
        AgentSteps.setCapabilities(settle, 1 << CAP_KILL);
        settle.run(
                Call.PRCTL, Arg.imm(PR_SET_NO_NEW_PRIVS), Arg.imm(1), Arg.ZERO, Arg.ZERO, Arg.ZERO);
        boolean publishes =
                profile.loopback().isPresent() && profile.loopback().get().publishes();
        settle.filter(SeccompProgram.forInit(plan.arch(), publishes));
    }
}
