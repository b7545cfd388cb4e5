package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Chooses what holds the limits of a run, the best first: a control group delegated to this
 * process; one in a scope that the user's service manager makes; watching.
 *
 * @param meter for the taker to close; none when nothing that needs one was asked for
 * @param fallback why it is not a control group; empty when it is, or none was wanted
 * @param failed whether a service manager could have made one, and did not
 */
public record Metering(Optional<Meter> meter, String fallback, boolean failed) {
    private static final Metering NOTHING = new Metering(Optional.empty(), "", false);

    /**
     * Makes ready what holds the limits. May move this process to another control group.
     *
     * @param runtimeDirectory XDG_RUNTIME_DIR of the caller; empty when it is not set
     */
    public static Metering of(Linux linux, Limits limits, UnixPath runtimeDirectory)
            throws ErrnoException {
        if (!limits.metered()) {
            return NOTHING;
        }
        CgroupHost host = CgroupHost.real();
        try {
            return with(CgroupMeter.open(linux, host, limits));
        } catch (CgroupException e) {
            UnixPath socket = SystemdScope.socketOf(linux.geteuid(), runtimeDirectory);
            return host.hasVersion2(linux) && linux.isAccessible(socket, Linux.W_OK)
                    ? inScope(linux, host, limits, socket)
                    : watching(linux, limits, e, false);
        }
    }

    /**
     * Whether RLIMIT_NPROC holds for an agent of this process. The kernel exempts the user 0 of the
     * machine, as whom only an agent of a root without further ids runs; whether that root is the
     * machine's cannot be told from inside, so it is taken for it.
     */
    public static boolean kernelCountsProcesses(Linux linux) throws ErrnoException {
        return linux.geteuid() != 0 || Ids.ofThisProcess(linux, 0).separate();
    }

    /** By watching alone, also where there is a control group. */
    public static Meter byWatching(Linux linux, Limits limits) throws ErrnoException {
        return new TreeMeter(linux, limits);
    }

    private static Metering inScope(Linux linux, CgroupHost host, Limits limits, UnixPath socket)
            throws ErrnoException {
        try {
            new SystemdScope(linux, socket).enter();
            return with(CgroupMeter.open(linux, host, limits));
        } catch (CgroupException e) {
            return watching(linux, limits, e, true);
        }
    }

    private static Metering with(Meter meter) {
        return new Metering(Optional.of(meter), "", false);
    }

    private static Metering watching(
            Linux linux, Limits limits, CgroupException reason, boolean failed)
            throws ErrnoException {
        return new Metering(Optional.of(new TreeMeter(linux, limits)), reason.getMessage(), failed);
    }
}
