package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * Launches {@linkplain HostProgram programs of the host} with the caller's rights as they were when
 * this was made.
 *
 * <p>Confined to one thread, which must outlive the programs (see {@link Launcher}).
 */
public final class HostPrograms {
    private final Linux linux;
    private final Launcher launcher;
    private final CallerRights caller;

    private HostPrograms(Linux linux, Launcher launcher, CallerRights caller) {
        this.linux = linux;
        this.launcher = launcher;
        this.caller = caller;
    }

    /**
     * Looks at this process: make it before the limit of open files is raised.
     *
     * @param launcher borrowed, as long as this is used
     */
    public static HostPrograms of(Linux linux, Launcher launcher) throws ErrnoException {
        return new HostPrograms(linux, launcher, CallerRights.read(linux));
    }

    /**
     * Starts a program and does not wait for it: the launcher sets it up on its own, so several are
     * set up at the same time. That it was started, or why it could not be, is told by {@link
     * RunningProgram#nextExit}.
     */
    public RunningProgram launch(HostProgram program) throws LaunchException {
        try (ProgramPipes pipes = ProgramPipes.open(linux)) {
            LaunchPlan plan = HostProgramPlan.of(program, caller);
            RunningSandbox running = launcher.start(plan, pipes.forProgram());
            running.releaseAhead();
            return new RunningProgram(linux, program.subject(), running, pipes);
        } catch (ErrnoException e) {
            throw new LaunchException(
                    program.subject() + ": cannot make its pipes: " + e.getMessage(), e);
        } catch (LaunchException e) {
            throw new LaunchException(program.subject() + ": " + e.getMessage(), e);
        }
    }
}
