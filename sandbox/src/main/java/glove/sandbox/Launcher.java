package glove.sandbox;

import glove.sys.Donation;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.SocketPair;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Starts the native launcher on plans. The program is an installed, root-owned file when there is
 * one, else a sealed copy in memory: either way nobody can change it between check and use.
 *
 * <p>Owns one descriptor. Thread-safe. A run ends when the <em>thread</em> that started it ends
 * (PR_SET_PDEATHSIG counts threads), so start from one that outlives the run.
 */
public final class Launcher implements AutoCloseable {
    private static final UnixPath INSTALLED = UnixPath.of("/usr/libexec/glove/launcher");
    private static final int PLAN_FD = 3;
    private static final int STATUS_FD = 4;
    private static final int CONTROL_FD = 5;
    private static final int GROUP_OR_OTHERS_WRITE = 022;
    private static final int PROGRAM_BYTES_MAX = 4 << 20;

    private final Linux linux;
    private final OwnedFd program;

    private Launcher(Linux linux, OwnedFd program) {
        this.linux = linux;
        this.program = program;
    }

    /**
     * Opens the launcher's program.
     *
     * @param built where the build put it, used when none is installed
     */
    public static Launcher open(Linux linux, UnixPath built) throws ErrnoException {
        if (linux.lstatIfPresent(INSTALLED).isPresent()) {
            try (OwnedFd installed = linux.open(INSTALLED, OpenFlags.O_PATH, 0)) {
                var stat = linux.fstat(installed);
                if (stat.uid() == 0
                        && stat.isRegularFile()
                        && (stat.mode() & GROUP_OR_OTHERS_WRITE) == 0) {
                    return new Launcher(linux, installed.release());
                }
            }
        }
        byte[] bytes = linux.readFile(built, PROGRAM_BYTES_MAX);
        return new Launcher(
                linux, sealed(linux, linux.memfdCreateProgram("glove-launcher"), bytes));
    }

    /** Owns the file, which it returns with this content for ever. */
    private static OwnedFd sealed(Linux linux, OwnedFd memfd, byte[] bytes) throws ErrnoException {
        try {
            linux.writeFully(memfd, bytes);
            linux.sealAll(memfd);
            return memfd;
        } catch (ErrnoException e) {
            memfd.close();
            throw e;
        }
    }

    /** Starts a plan; it waits to be {@linkplain RunningSandbox#release released}. */
    public RunningSandbox start(LaunchPlan plan, StandardStreams streams) throws LaunchException {
        try (OwnedFd planFd = sealed(linux, linux.memfdCreate("glove-plan"), plan.bytes());
                SocketPair status = linux.socketpair(Linux.SOCK_SEQPACKET);
                Pipe control = linux.pipe()) {
            int pid = linux.spawn(
                    program,
                    List.of("glove-launcher".getBytes(StandardCharsets.US_ASCII)),
                    List.of(),
                    List.of(
                            new Donation(streams.stdin(), 0),
                            new Donation(streams.stdout(), 1),
                            new Donation(streams.stderr(), 2),
                            new Donation(planFd, PLAN_FD),
                            new Donation(status.second(), STATUS_FD),
                            new Donation(control.read(), CONTROL_FD)));
            return new RunningSandbox(
                    linux, plan, pid, status.first().release(), control.write().release());
        } catch (ErrnoException e) {
            throw new LaunchException(
                    "cannot start the launcher: " + e.getMessage() + HostHint.of(e), e);
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
