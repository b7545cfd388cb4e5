package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sandbox.Exit;
import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A relayed socket at the end of a run. */
@Tag("unit")
final class SocketRelayTest {
    private static final UnixPath INSIDE = UnixPath.of("inside");
    private static final UnixPath SERVICE = UnixPath.of("service");

    private final Linux linux = Linux.host();

    @TempDir
    Path directory;

    @FunctionalInterface
    private interface Scene {
        void play(SocketRelay relay, UnixPath inside, OwnedFd service) throws Exception;
    }

    /** With a service whose backlog is so long. */
    private void play(int backlog, Scene scene) throws Exception {
        play(linux, backlog, scene);
    }

    private void play(Linux relays, int backlog, Scene scene) throws Exception {
        UnixPath place = UnixPath.of(directory.toString());
        FdLeaks.watch();
        try (OwnedFd here = linux.open(place, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0);
                OwnedFd service = linux.listenUnix(here, SERVICE, backlog)) {
            OwnedFd inside = linux.listenUnix(here, INSIDE, 8);
            OwnedFd host = linux.openat(here, SERVICE, OpenFlags.O_PATH, 0);
            try (SocketRelay relay = new SocketRelay(relays, host, inside)) {
                scene.play(relay, place.resolve(INSIDE), service);
            }
        }
        FdLeaks.assertNone();
    }

    @Test
    void whoConnectedAndSentBeforeTheEndIsLetInAfterIt() throws Exception {
        play(4, (relay, inside, service) -> {
            for (String word : new String[] {"first", "second"}) {
                send(inside, word);
            }
            relay.ended(new Exit.Exited(0));

            assertThat(received(service)).isEqualTo("first");
            assertThat(received(service)).isEqualTo("second");
            assertThat(linux.accept(service)).isEmpty();
        });
    }

    /** However long it takes until this process has its turn. */
    @Test
    void whoSentBeforeTheEndIsServedThoughTheMomentOfTheEndIsOver() throws Exception {
        Syscalls late = (call, a, b, c, d, e, f) -> {
            if (call == Call.ACCEPT4 || call == Call.WRITE) {
                LockSupport.parkNanos(600_000_000);
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };
        play(new Linux(late), 4, (relay, inside, service) -> {
            for (String word : new String[] {"first", "second"}) {
                send(inside, word);
            }
            relay.ended(new Exit.Exited(0));

            assertThat(received(service)).isEqualTo("first");
            assertThat(received(service)).isEqualTo("second");
        });
    }

    @Test
    void whileTheServicesBacklogIsFullWhoComesWaitsAndIsNotCutOff() throws Exception {
        play(1, (relay, inside, service) -> {
            UnixPath direct = UnixPath.of(directory.toString()).resolve(SERVICE);
            send(direct, "one before");
            send(direct, "and one more");
            try (OwnedFd client = linux.connectUnix(inside)) {
                byte[] word = "waits".getBytes(StandardCharsets.UTF_8);
                linux.writeNow(client, word, 0, word.length);
                for (int turn = 0; turn < 5; turn++) {
                    turn(relay);
                }
                List<PollFd> ended = List.of(new PollFd(client, PollFd.POLLIN));
                assertThat(linux.poll(ended, 0)).containsExactly(0);

                assertThat(received(service)).isEqualTo("one before");
                assertThat(received(service)).isEqualTo("and one more");
                relay.ended(new Exit.Exited(0));
                try (OwnedFd connection = linux.accept(service).orElseThrow()) {
                    assertThat(linux.readNow(connection, word, 0, word.length)).isEqualTo(5);
                }
            }
        });
    }

    /** As the run's loop does, but nothing is waited for longer than the relay's own moment. */
    private void turn(SocketRelay relay) throws Exception {
        List<PollFd> awaited = relay.awaited();
        relay.attend(linux.poll(awaited, Math.max(0, relay.patience())), 0);
    }

    private void send(UnixPath to, String word) throws Exception {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        try (OwnedFd client = linux.connectUnix(to)) {
            assertThat(linux.writeNow(client, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        }
    }

    private String received(OwnedFd service) throws Exception {
        byte[] buffer = new byte[64];
        try (OwnedFd connection = linux.accept(service).orElseThrow()) {
            int count = linux.readNow(connection, buffer, 0, buffer.length);
            assertThat(linux.readNow(connection, buffer, count, 1)).isZero();
            return new String(buffer, 0, count, StandardCharsets.UTF_8);
        }
    }
}
