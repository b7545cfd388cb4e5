package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Chooses what holds the limits of a run, the best first: a control group delegated to this process;
 * one in a scope that the user's service manager makes; watching.
 *
 * @param meter for the taker to close; none when nothing that needs one was asked for
 * @param fallback why it is not a control group; empty when it is, or none was wanted
 */
public record Metering(Optional<Meter> meter, String fallback) {
    private static final Metering NOTHING = new Metering(Optional.empty(), "");

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
        try {
            return new Metering(Optional.of(inGroup(linux, limits, runtimeDirectory)), "");
        } catch (CgroupException e) {
            return new Metering(Optional.of(new TreeMeter(linux, limits)), reason(e));
        }
    }

    private static String reason(CgroupException e) {
        String message = e.getMessage();
        return message == null ? "" : message;
    }

    private static Meter inGroup(Linux linux, Limits limits, UnixPath runtimeDirectory)
            throws CgroupException {
        CgroupHost host = CgroupHost.real();
        try {
            return CgroupMeter.open(linux, host, limits);
        } catch (CgroupException e) {
            UnixPath socket = ServiceManager.socketOf(linux.geteuid(), runtimeDirectory);
            if (!host.hasVersion2(linux) || !linux.isAccessible(socket, Linux.W_OK)) {
                throw e;
            }
            new ServiceManager(linux, socket).enterScope();
            return CgroupMeter.open(linux, host, limits);
        }
    }
}
