package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Work is done for those who wait for it, and what takes long keeps nobody else waiting. */
@Tag("process")
@Timeout(900)
final class ControlWaitTest {
    private static final ControlMethod QUICK =
            ControlMethod.quick("quick", (call, result) -> done(result));
    private static final String LATE = "deadline_exceeded";

    @TempDir
    private Path directory;

    private final CountDownLatch release = new CountDownLatch(1);
    private final Semaphore begun = new Semaphore(0);
    private final AtomicInteger counted = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMost = new AtomicInteger();

    private static void done(JsonWriter result) {
        result.beginObject().member("done", 1).endObject();
    }

    /** Works until it is let go. */
    private void hold(ControlCall call, JsonWriter result) {
        begun.release();
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        done(result);
    }

    /** The same, whatever happens. */
    private void hang(ControlCall call, JsonWriter result) {
        begun.release();
        while (release.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
        done(result);
    }

    private void count(ControlCall call, JsonWriter result) {
        counted.incrementAndGet();
        done(result);
    }

    /** Works for as long as somebody waits. */
    private void last(ControlCall call, JsonWriter result) throws ControlException {
        runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
        begun.release();
        while (call.claim().isWanted() && release.getCount() > 0) {
            LockSupport.parkNanos(100_000);
        }
        running.decrementAndGet();
        call.claim().requireInTime();
        if (release.getCount() > 0) {
            throw new ControlException("given_up", "nobody waits");
        }
        done(result);
    }

    private ServerRoom room(ServerRoom.Parts parts) throws Exception {
        return new ServerRoom(directory, parts);
    }

    private ServerRoom.Parts parts() {
        return ServerRoom.Parts.of(
                QUICK,
                ControlMethod.slow("held", this::hold),
                ControlMethod.slow("counted", this::count),
                ControlMethod.lasting("lasting", this::last),
                ControlMethod.lasting("hanging", this::hang),
                ControlMethod.lasting("counted-lasting", this::count));
    }

    private static List<SocketChannel> send(ServerRoom room, String method, int count)
            throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            channels.add(room.send(ServerRoom.request(method)));
        }
        return channels;
    }

    private static void close(List<SocketChannel> channels) throws Exception {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    /**
     * What the server was told before is done with. Whoever comes in may be answered before those
     * who are in are heard, but one of these not before others who have said something earlier:
     * once for what is asked, and once for who has hung up.
     */
    private static void settle(ServerRoom room) throws Exception {
        for (int i = 0; i < 2; i++) {
            try (SocketChannel last = room.connect()) {
                assertThat(room.ask(ServerRoom.request("quick"))).isPresent(); // last is in
                ServerRoom.write(last, ControlRoom.frame(ServerRoom.request("quick")));
                assertThat(ControlRoom.response(last)).isPresent();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatNobodyHasBegunIsNotDoneForAClientThatHungUp(boolean inParts) throws Exception {
        try (ServerRoom room = room(parts())) {
            List<SocketChannel> holding = send(room, "held", Crew.WORKERS);
            begun.acquire(Crew.WORKERS);
            for (int i = 0; i < 300; i++) {
                try (SocketChannel channel = room.connect()) {
                    ByteBuffer frame = ControlRoom.frame(ServerRoom.request("counted"));
                    if (inParts) {
                        ServerRoom.write(channel, frame.slice(0, 4));
                        settle(room);
                        frame.position(4);
                    }
                    ServerRoom.write(channel, frame);
                }
            }
            settle(room);

            release.countDown();
            assertThat(room.ask(ServerRoom.request("counted"))).isPresent();
            assertThat(counted).as("that of the one who waited").hasValue(1);
            close(holding);
        }
    }

    @Test
    void aClientThatOnlySendsNothingMoreIsAnswered() throws Exception {
        try (ServerRoom room = room(parts());
                SocketChannel running = room.send(ServerRoom.request("held"));
                SocketChannel lasting = room.send(ServerRoom.request("lasting"))) {
            begun.acquire(2);
            running.shutdownOutput();
            lasting.shutdownOutput();
            settle(room);
            release.countDown();

            assertThat(ControlRoom.response(running).orElseThrow()).contains("done");
            assertThat(ControlRoom.response(lasting).orElseThrow()).contains("done");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"counted", "counted-lasting"})
    void whatWaitsBeyondItsDeadlineIsAnsweredAndNotDone(String method) throws Exception {
        AtomicLong clock = new AtomicLong(1);
        try (ServerRoom room = room(parts().with(clock::get))) {
            List<SocketChannel> holding = send(room, "held", Crew.WORKERS);
            holding.addAll(send(room, "lasting", Crew.INSPECTORS));
            begun.acquire(Crew.WORKERS + Crew.INSPECTORS);
            try (SocketChannel waiting = room.send(ServerRoom.request(method))) {
                settle(room);
                clock.set(10); // the deadline is 9

                assertThat(ControlRoom.response(waiting).orElseThrow()).contains(LATE);
            }
            release.countDown();
            assertThat(room.ask(ServerRoom.timeless(method)).orElseThrow()).contains("done");
            assertThat(counted).hasValue(1);
            close(holding);
        }
    }

    /** The deadline is looked at once more when a worker begins. */
    @Test
    void whatIsBegunBeyondItsDeadlineIsNotDone() {
        AtomicLong clock = new AtomicLong(1);
        String secret = "d".repeat(64);
        ControlProtocol protocol = new ControlProtocol(
                new BootstrapSecret(secret),
                List.of(ControlMethod.slow("counted", this::count)),
                clock::get);
        byte[] request = ServerRoom.request("counted").getBytes(StandardCharsets.US_ASCII);
        ControlProtocol.Admission.Admitted admitted =
                (ControlProtocol.Admission.Admitted) protocol.admit(request);
        clock.set(9);
        assertThat(new String(protocol.answer(admitted), StandardCharsets.UTF_8))
                .as("the last moment")
                .contains("done");
        clock.set(10);

        assertThat(new String(protocol.answer(admitted), StandardCharsets.UTF_8))
                .contains(LATE);
        assertThat(counted).hasValue(1);
    }

    @Test
    void whatTakesLongIsDoneByFewAndNobodyElseWaitsForIt() throws Exception {
        try (ServerRoom room = room(parts())) {
            List<SocketChannel> channels = send(room, "lasting", 64);
            begun.acquire(Crew.INSPECTORS);

            for (int i = 0; i < 50; i++) {
                assertThat(room.ask(ServerRoom.request("quick"))).isPresent();
                assertThat(room.ask(ServerRoom.request("counted"))).isPresent();
            }
            release.countDown();
            for (SocketChannel channel : channels) {
                assertThat(ControlRoom.response(channel).orElseThrow()).contains("done");
            }
            assertThat(runningMost).hasValue(Crew.INSPECTORS);
            close(channels);
        }
    }

    @Test
    void whatTakesLongEndsWhenItsClientHasHungUp() throws Exception {
        try (ServerRoom room = room(parts())) {
            for (int i = 0; i < 20; i++) {
                List<SocketChannel> channels = send(room, "lasting", Crew.INSPECTORS);
                begun.acquire(Crew.INSPECTORS);
                close(channels);
            }
            close(send(room, "lasting", 500));
            settle(room);

            assertThat(room.ask(ServerRoom.request("counted-lasting"))).isPresent();
        }
    }

    @Test
    void whatTakesLongEndsAtItsDeadline() throws Exception {
        AtomicLong clock = new AtomicLong(1);
        try (ServerRoom room = room(parts().with(clock::get));
                SocketChannel channel = room.send(ServerRoom.request("lasting"))) {
            begun.acquire();
            clock.set(10);

            assertThat(ControlRoom.response(channel).orElseThrow()).contains(LATE);
        }
    }

    @Test
    void whatTakesLongDoesNotKeepTheDaemonFromItsEnd() throws Exception {
        try (ServerRoom room = room(parts())) {
            List<SocketChannel> channels = send(room, "lasting", 10);
            begun.acquire(Crew.INSPECTORS);
            settle(room);

            room.signal();

            assertThat(room.ends(60_000))
                    .as("before what is in work would be dropped")
                    .isTrue();
            for (SocketChannel channel : channels) {
                Optional<String> told = ControlRoom.response(channel);
                assertThat(told.orElseThrow()).contains(LATE, "gloved is ending");
            }
            close(channels);
        }
    }

    /** Its thread is where no signal and no flag reaches it. */
    @Test
    void whatTakesLongIsAnsweredAtItsDeadlineAlsoWhenItHangs() throws Exception {
        AtomicLong clock = new AtomicLong(1);
        try (ServerRoom room = room(parts().with(clock::get))) {
            List<SocketChannel> hanging = send(room, "hanging", Crew.INSPECTORS);
            begun.acquire(Crew.INSPECTORS);
            List<SocketChannel> waiting = send(room, "counted-lasting", 3);
            settle(room);
            clock.set(10);

            for (SocketChannel channel : hanging) {
                assertThat(ControlRoom.response(channel).orElseThrow()).contains(LATE);
            }
            for (SocketChannel channel : waiting) {
                assertThat(ControlRoom.response(channel).orElseThrow()).contains(LATE);
            }
            clock.set(1);
            release.countDown(); // the answer nobody waits for goes nowhere
            assertThat(room.ask(ServerRoom.request("counted-lasting"))).isPresent();
            assertThat(counted).hasValue(1);
            close(hanging);
            close(waiting);
        }
    }

    /** A deadline of next year is none: here the clock stands. */
    @Test
    void whatTakesLongHasABoundOfItsOwn() throws Exception {
        ServerBounds bounds = new ServerBounds(64, 1 << 20, 60_000, 60_000, 1000, 300);
        try (ServerRoom room = room(parts().with(bounds))) {
            List<SocketChannel> hanging = send(room, "hanging", Crew.INSPECTORS);
            begun.acquire(Crew.INSPECTORS);
            try (SocketChannel waiting = room.send(ServerRoom.request("counted-lasting"))) {
                for (SocketChannel channel : hanging) {
                    assertThat(ControlRoom.response(channel).orElseThrow()).contains(LATE);
                }
                settle(room);
                assertThat(ControlRoom.response(waiting).orElseThrow())
                        .as("nothing takes its turn any more")
                        .contains(LATE);
            }
            assertThat(counted).hasValue(0);
            release.countDown();
            assertThat(room.ask(ServerRoom.request("counted-lasting"))).isPresent();
            close(hanging);
        }
    }

    @Test
    void aHangingThreadDoesNotKeepTheDaemonFromItsEnd() throws Exception {
        try (ServerRoom room = room(parts())) {
            List<SocketChannel> hanging = send(room, "hanging", 5);
            begun.acquire(Crew.INSPECTORS);
            settle(room);

            room.signal();

            assertThat(room.ends(60_000)).isTrue();
            for (SocketChannel channel : hanging) {
                assertThat(ControlRoom.response(channel).orElseThrow())
                        .contains(LATE, "gloved is ending");
            }
            close(hanging);
            release.countDown();
        }
    }

    /** A second look at the clock may be beyond the deadline, which is no time left. */
    @Test
    void theTimeThatIsLeftIsOfOneMoment() {
        AtomicLong clock = new AtomicLong(9);
        Claim claim = new Claim(clock::getAndIncrement, 1, 9);

        assertThat(claim.millisLeft()).isZero();
        assertThat(claim.millisLeft()).isZero();
        clock.set(1);
        assertThat(claim.millisLeft()).isEqualTo(8);
    }

    /** Nobody goes for one who has not come. */
    @Test
    void theLastPlaceIsKeptByWhoHasOnlyJustConnected() throws Exception {
        ServerBounds bounds = new ServerBounds(2, 1 << 20, 60_000, 60_000, 1000, 600_000);
        try (ServerRoom room = room(parts().with(bounds));
                SocketChannel held = room.send(ServerRoom.request("held"))) {
            begun.acquire();
            try (SocketChannel last = room.connect()) {
                assertThat(room.isServing()).isTrue();
                LockSupport.parkNanos(200_000_000); // it is taken in meanwhile
                ServerRoom.write(last, ControlRoom.frame(ServerRoom.request("quick")));

                assertThat(ControlRoom.response(last)).isPresent();
            }
            release.countDown();
            assertThat(ControlRoom.response(held)).isPresent();
        }
    }

    @Test
    void thoseWhoseRequestsWaitMakeRoomForOthers() throws Exception {
        int most = Crew.WORKERS + 4;
        ServerBounds bounds = new ServerBounds(most, 1 << 20, 60_000, 60_000, 1000, 600_000);
        try (ServerRoom room = room(parts().with(bounds))) {
            List<SocketChannel> holding = send(room, "held", Crew.WORKERS);
            begun.acquire(Crew.WORKERS);
            List<SocketChannel> waiting = send(room, "counted", 4);

            assertThat(room.ask(ServerRoom.request("quick"))).isPresent();

            release.countDown();
            assertThat(ControlRoom.response(waiting.get(0)))
                    .as("the oldest went")
                    .isEmpty();
            assertThat(ControlRoom.response(waiting.get(3))).isPresent();
            close(holding);
            close(waiting);
        }
    }
}
