package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a program printed until it ended. Immutable.
 *
 * @param said its standard output
 * @param ended how it ended, with the last line of its standard error, for people
 */
record ProgramAnswer(String said, String ended) {
    /** A JVM takes seconds, on a busy machine many. */
    private static final long DEADLINE_MILLIS = 120_000;

    private static final int SAID_BYTES_MAX = 1 << 20;

    /**
     * Hears it to its end, with nothing to read.
     *
     * @param running closed by the caller, which ends what is left of it
     * @throws Refusal when it prints more than 1 MiB or takes more than 120 s
     */
    static ProgramAnswer of(Linux linux, RunningProgram running)
            throws Refusal, LaunchException, ErrnoException {
        running.stdin().close();
        Heard out = new Heard(linux, running.stdout());
        Heard errors = new Heard(linux, running.stderr());
        long deadline = System.nanoTime() + DEADLINE_MILLIS * 1_000_000;
        while (!(out.atEnd && errors.atEnd && running.nextExit().isPresent())) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new Refusal(
                        "it took more than " + DEADLINE_MILLIS / 1000 + " s", "run it by hand");
            }
            await(linux, running, List.of(out, errors), left);
            out.hear();
            errors.hear();
        }
        return new ProgramAnswer(out.text(), ended(running.nextExit(), errors.text()));
    }

    private static void await(Linux linux, RunningProgram running, List<Heard> streams, long millis)
            throws LaunchException, ErrnoException {
        List<PollFd> polled = new ArrayList<>();
        if (running.nextExit().isEmpty()) {
            polled.add(running.statusToRead());
        }
        for (Heard stream : streams) {
            if (!stream.atEnd) {
                polled.add(new PollFd(stream.from, PollFd.POLLIN));
            }
        }
        if (!polled.isEmpty()) {
            linux.poll(polled, millis);
        }
    }

    private static String ended(Optional<Exit> exit, String errors) {
        String text = errors.strip();
        String last = text.substring(text.lastIndexOf('\n') + 1).strip();
        int status = exit.isPresent() ? exit.get().shellStatus() : 0;
        return "it ended with " + status + (last.isEmpty() ? "" : ", saying '" + last + "'");
    }

    /** One of its streams. */
    private static final class Heard {
        private final Linux linux;
        private final OwnedFd from;
        private final byte[] room = new byte[8192];
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean atEnd;

        Heard(Linux linux, OwnedFd from) {
            this.linux = linux;
            this.from = from;
        }

        void hear() throws Refusal, ErrnoException {
            while (!atEnd) {
                int count = linux.readNow(from, room, 0, room.length);
                if (count == Linux.WOULD_BLOCK) {
                    return;
                }
                atEnd = count == 0;
                bytes.write(room, 0, count);
                if (bytes.size() > SAID_BYTES_MAX) {
                    throw new Refusal("it prints without end", "run it by hand");
                }
            }
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
