package glove.app;

import glove.egress.EgressAuditException;
import glove.egress.EgressProxy;
import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.LimitHit;
import glove.sandbox.Meter;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sandbox.Sandbox;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.UnixPath;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A small contained command of {@code glove doctor}: set up exactly as {@code exec} would with the
 * same options and environment, and ended by a moment whatever it does. Owns what it starts; {@link
 * #run} leaves nothing of it. Confined to one thread.
 */
final class TrialRun implements AutoCloseable {
    private static final UnixPath NOWHERE = UnixPath.of("/dev/null");
    private static final int OUTPUT_BYTES_MAX = 1 << 16;
    private static final int PIECE_BYTES = 4096;
    private static final long PAUSE_MAX = 50;
    private static final byte[] GREETING = "glove".getBytes(StandardCharsets.US_ASCII);

    private final Linux linux;
    private final Invocation invocation;
    private final Launcher launcher;
    private final long deadline;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Optional<Meter> meter = Optional.empty();
    private Optional<LimitHit> hit = Optional.empty();
    private @Nullable OwnedFd server; // null: nothing is let out
    private @Nullable EgressProxy proxy; // null before the launch, and when nothing is let out
    private boolean served;

    /**
     * Begins with nothing but a time.
     *
     * @param launcher borrowed
     * @param deadline of {@link System#nanoTime}
     */
    TrialRun(Linux linux, Invocation invocation, Launcher launcher, long deadline) {
        this.linux = linux;
        this.invocation = invocation;
        this.launcher = launcher;
        this.deadline = deadline;
    }

    /**
     * How it ended.
     *
     * @param out what it printed; at most 64 KiB
     * @param hit the limit that ended it
     * @param served whether the server on this machine had a connection
     */
    record Result(Exit exit, String out, String err, Optional<LimitHit> hit, boolean served) {
        boolean succeeded() {
            return exit.shellStatus() == 0;
        }

        /** Its end, and the last it said, in one line. */
        String words() {
            String said = err.strip();
            String last = said.substring(said.lastIndexOf('\n') + 1);
            return "it ended with " + exit.shellStatus() + (last.isEmpty() ? "" : ": " + last);
        }
    }

    /** Measures it, and kills it when a limit is reached. Owned from here on. */
    TrialRun under(Meter limits) {
        meter = Optional.of(limits);
        return this;
    }

    /** Greets who connects to a port of this machine's loopback; the number of the port. */
    int listen() throws ErrnoException {
        OwnedFd listener = linux.listenTcp(new IpEndpoint(IpAddress.LOOPBACK_V4, 0), 1);
        server = listener;
        return linux.localEndpoint(listener).orElseThrow().port();
    }

    /** Runs a command line of {@code exec} behind its verb to the end. */
    Result run(String... words) throws LaunchException, Refusal, ErrnoException {
        List<byte[]> bytes = new ArrayList<>();
        for (String word : words) {
            bytes.add(word.getBytes(StandardCharsets.UTF_8));
        }
        ExecOptions options = ExecOptions.parse(bytes);
        try (OwnedFd nowhere = linux.open(NOWHERE, OpenFlags.O_WRONLY, 0);
                Notices silent = new Notices("doctor", linux, nowhere);
                ProfileSetup setup = ProfileSetup.of(
                        ProfileSetup.Caller.alone(linux, invocation, silent),
                        options,
                        Companion.Inside.NOTHING)) {
            setup.egress().descriptorsEach(0);
            Sandbox sandbox = new Sandbox(linux, launcher);
            sandbox.setDeadline(deadline);
            try (RunningProgram program =
                    sandbox.launchWithPipes(setup.profile(), "a contained command", meter)) {
                if (meter.isPresent()) {
                    meter.get().released();
                }
                if (setup.egress().letsOut()) {
                    proxy = setup.egress().proxy(program.sandbox(), events -> {});
                }
                program.stdin().close();
                return await(program);
            }
        }
    }

    private Result await(RunningProgram program) throws LaunchException, ErrnoException {
        for (; ; ) {
            Optional<Exit> exit = program.nextExit();
            if (exit.isPresent()) {
                take(program.stdout(), out);
                take(program.stderr(), err);
                return new Result(exit.get(), text(out), text(err), hit, served);
            }
            if (deadline - System.nanoTime() <= 0) {
                return new Result(new Exit.Signaled(9), text(out), "no end in time", hit, served);
            }
            pause(program);
            take(program.stdout(), out);
            take(program.stderr(), err);
            serve();
            measure(program);
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Short at most: what is looked at again and again has no descriptor. */
    private void pause(RunningProgram program) throws ErrnoException {
        List<PollFd> awaited = new ArrayList<>();
        awaited.add(program.statusToRead());
        long millis = PAUSE_MAX;
        EgressProxy way = proxy;
        OwnedFd listener = server;
        if (way != null && listener != null) {
            awaited.add(new PollFd(way.awaited(), PollFd.POLLIN));
            awaited.add(new PollFd(listener, PollFd.POLLIN));
            long patience = way.patience();
            millis = patience < 0 ? millis : Math.min(millis, patience);
        }
        if (meter.isPresent()) {
            awaited.addAll(meter.get().watched());
            millis = Math.min(millis, meter.get().checkAgainMillis());
        }
        try {
            linux.poll(awaited, millis);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }

    private void take(Fd pipe, ByteArrayOutputStream into) throws ErrnoException {
        try {
            byte[] piece;
            do {
                piece = linux.read(pipe, PIECE_BYTES);
                if (into.size() < OUTPUT_BYTES_MAX) {
                    into.writeBytes(piece);
                }
            } while (piece.length > 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
        }
    }

    private void serve() throws ErrnoException {
        EgressProxy way = proxy;
        OwnedFd listener = server;
        if (way == null || listener == null) {
            return;
        }
        try {
            way.turn();
        } catch (EgressAuditException e) {
            throw new IllegalStateException("nothing is recorded, so nothing fails", e);
        }
        Optional<OwnedFd> client = linux.accept(listener);
        if (client.isPresent()) {
            served = true;
            try (OwnedFd connection = client.get()) {
                linux.writeFully(connection, GREETING);
            }
        }
    }

    private void measure(RunningProgram program) throws ErrnoException {
        if (meter.isPresent() && hit.isEmpty()) {
            hit = meter.get().check();
            if (hit.isPresent()) {
                program.kill();
            }
        }
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
        if (server != null) {
            server.close();
        }
        if (meter.isPresent()) {
            meter.get().close();
        }
    }
}
