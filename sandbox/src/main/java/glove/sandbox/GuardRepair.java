package glove.sandbox;

import glove.sys.BorrowedFd;
import glove.sys.Call;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.List;

/**
 * Puts guards back that the host has dropped by replacing the file below them: from outside, by a
 * second launcher that enters the sandbox's namespaces, because nobody inside may mount any more.
 *
 * <p>Owns descriptors of those namespaces, taken before process 1 closes itself to others. Confined
 * to the thread that launched the sandbox.
 */
public final class GuardRepair implements AutoCloseable {
    private static final int CLONE_NEWUSER = 0x1000_0000;
    private static final int CLONE_NEWNS = 0x0002_0000;

    /** What the launcher's own standard streams are here: the namespaces. */
    private static final int USER_NAMESPACE = 0;

    private static final int MOUNT_NAMESPACE = 1;

    private final Launcher launcher;
    private final Profile profile;
    private final OwnedFd user;
    private final OwnedFd mount;

    private GuardRepair(Launcher launcher, Profile profile, OwnedFd user, OwnedFd mount) {
        this.launcher = launcher;
        this.profile = profile;
        this.user = user;
        this.mount = mount;
    }

    /**
     * For a sandbox whose process 1 exists and has executed nothing yet.
     *
     * @param init its process id outside
     */
    static GuardRepair of(Linux linux, Launcher launcher, Profile profile, int init)
            throws LaunchException {
        UnixPath namespaces = UnixPath.of("/proc/" + init + "/ns");
        try {
            OwnedFd user = linux.open(namespaces.resolve("user"), OpenFlags.O_RDONLY, 0);
            try {
                OwnedFd mount = linux.open(namespaces.resolve("mnt"), OpenFlags.O_RDONLY, 0);
                return new GuardRepair(launcher, profile, user, mount);
            } catch (ErrnoException e) {
                user.close();
                throw e;
            }
        } catch (ErrnoException e) {
            throw new LaunchException("cannot hold the sandbox's namespaces: " + e.getMessage(), e);
        }
    }

    /** Guards them again; the agent should be stopped meanwhile. Nothing holds when it fails. */
    public void repair(List<Guard> guards) throws LaunchException {
        PlanWriter plan = new PlanWriter(profile.host().arch());
        Steps steps = plan.outer();
        steps.about("entering the sandbox");
        if (!profile.ids().separate()) {
            // The owner of a user namespace has every power in it; real root has it anyway.
            steps.run(Call.SETNS, Arg.imm(USER_NAMESPACE), Arg.imm(CLONE_NEWUSER));
        }
        steps.run(Call.SETNS, Arg.imm(MOUNT_NAMESPACE), Arg.imm(CLONE_NEWNS));
        Slot root = steps.get(
                Call.OPENAT,
                Arg.CWD,
                plan.text("/"),
                Arg.imm(OpenFlags.O_PATH | OpenFlags.O_DIRECTORY | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
        GuardSteps masks = new GuardSteps(plan, steps, root);
        for (Guard guard : guards) {
            masks.add(guard);
        }
        StandardStreams streams = new StandardStreams(user, mount, BorrowedFd.STDERR);
        try (RunningSandbox entering = launcher.start(plan.finish(0, profile.ids()), streams)) {
            entering.await();
        }
    }

    @Override
    public void close() {
        user.close();
        mount.close();
    }
}
