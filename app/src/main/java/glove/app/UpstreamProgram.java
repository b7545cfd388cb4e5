package glove.app;

import glove.journal.AuditLog;
import glove.sandbox.AgentReach;
import glove.sandbox.HostPrograms;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;

import java.util.List;

/**
 * The program of an upstream, looked up and found good once, and how that very one is launched each
 * time. Confined to the run's thread.
 */
interface UpstreamProgram extends AutoCloseable {
    /**
     * What launching takes. Lent.
     *
     * @param hosts for those that are not contained
     * @param log for what a contained one lets out
     * @param records takes that one is about to be launched
     * @param run what ends it when that cannot be recorded
     */
    record Launching(
            Launcher launcher,
            HostPrograms hosts,
            AuditLog log,
            GatewayAuditOfRun records,
            RunEnd run) {}

    /** Refuses what the agent could put something of its own in place of. */
    void refuseWritable(AgentReach reach, Notices notices) throws Refusal, ErrnoException;

    /** Launches it; the one before has ended. The caller owns it. */
    RunningProgram launch(Launching launching) throws Refusal, LaunchException, ErrnoException;

    /** What has to be attended while it runs. */
    List<Attendant> attendants();

    /** It has ended: so do its attendants. */
    @Override
    void close();
}
