package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.Syscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients send has a bound in memory, all together, wherever it waits. */
@Tag("process")
@Timeout(900)
final class ControlMemoryTest {
    private static final int FRAME = ControlProtocol.FRAME_BYTES_MAX;
    private static final int MEBIBYTE = 1 << 20;

    /** A full session store, a full journal of exposures, and the JVM's own classes and texts. */
    private static final long REST_BYTES = (64 + 8 + 16) * MEBIBYTE;

    @TempDir
    private Path directory;

    @Test
    void allTogetherFitsTheHeapTheDaemonIsStartedWith() throws Exception {
        String script =
                Files.readString(Path.of(System.getProperty("glove.root"), "scripts/run.sh"));
        Matcher heap =
                Pattern.compile("glove\\.host\\.Gloved\\s+heap=-Xmx(\\d+)m").matcher(script);
        assertThat(heap.find()).isTrue();

        long bytes = Long.parseLong(heap.group(1)) * MEBIBYTE;

        assertThat(ServerBounds.USUAL.heapBytesMax() + REST_BYTES).isLessThanOrEqualTo(bytes);
    }

    /** Holds all workers until it is let go. */
    private static ControlMethod held(CountDownLatch release) {
        return ControlMethod.slow("slow", (call, result) -> {
            await(release);
            result.beginObject().endObject();
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long open(List<SocketChannel> channels) throws Exception {
        long count = 0;
        for (SocketChannel channel : channels) {
            channel.configureBlocking(false);
            ByteBuffer one = ByteBuffer.allocate(1);
            boolean gone;
            try {
                gone = channel.read(one) < 0;
            } catch (IOException e) {
                gone = true;
            }
            count += gone ? 0 : 1;
        }
        return count;
    }

    @Test
    void wholeLargeRequestsThatWaitCountAsWellAsUnfinishedOnes() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        ControlMethod quick = ControlMethod.quick(
                "quick", (call, result) -> result.beginObject().endObject());
        String slow = ServerRoom.request("slow");
        String large = slow + " ".repeat(FRAME - slow.length());
        try (ServerRoom room =
                new ServerRoom(directory, ServerRoom.Parts.of(held(release), quick))) {
            List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                channels.add(room.send(large));
            }
            assertThat(room.ask(ServerRoom.request("quick"))).isPresent();
            int most = ServerBounds.USUAL.heldBytesMax() / FRAME + LargeRequests.AT_ONCE;

            assertThat(open(channels)).isBetween((long) LargeRequests.AT_ONCE, (long) most);

            release.countDown();
            assertThat(room.ask(large)).as("large ones are served again").isPresent();
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    @Test
    void smallOnesAreServedWhileLargeOnesWithoutTheSecretFloodIt() throws Exception {
        ControlMethod quick = ControlMethod.quick(
                "quick", (call, result) -> result.beginObject().endObject());
        ControlMethod slow = ControlMethod.slow(
                "slow", (call, result) -> result.beginObject().endObject());
        String large = "{\"a\":\"" + "x".repeat(FRAME - 8) + "\"}";
        try (ServerRoom room = new ServerRoom(directory, ServerRoom.Parts.of(quick, slow))) {
            List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                channels.add(room.send(large));
                assertThat(room.ask(ServerRoom.request(i % 2 == 0 ? "quick" : "slow")))
                        .as("%s", i)
                        .isPresent();
            }
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    @Test
    void silentOnesDoNotTakeThePlacesOfThoseThatSpeakNorTheOtherWayRound() throws Exception {
        ControlMethod quick = ControlMethod.quick(
                "quick", (call, result) -> result.beginObject().endObject());
        ServerRoom.Parts parts = ServerRoom.Parts.of(quick)
                .with(new ServerBounds(16, MEBIBYTE, 60_000, 60_000, 1000, 600_000));
        ByteBuffer frame = ControlRoom.frame(ServerRoom.request("quick"));
        try (ServerRoom room = new ServerRoom(directory, parts)) {
            SocketChannel speaking = room.connect();
            ServerRoom.write(speaking, frame.slice(0, 40));
            SocketChannel silent = room.connect();
            List<SocketChannel> flood = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                flood.add(room.connect());
                room.ask(ServerRoom.request("quick"));
            }
            ServerRoom.write(speaking, frame.slice(40, frame.limit() - 40));

            assertThat(ControlRoom.response(speaking)).isPresent();
            assertThat(ControlRoom.response(silent))
                    .as("the oldest silent went")
                    .isEmpty();

            SocketChannel newest = room.connect();
            for (int i = 0; i < 10; i++) {
                SocketChannel slow = room.connect();
                ServerRoom.write(slow, frame.slice(0, 40));
                flood.add(slow);
                room.ask(ServerRoom.request("quick"));
            }
            ServerRoom.write(newest, frame.duplicate());
            assertThat(ControlRoom.response(newest)).as("silent until now").isPresent();
            for (SocketChannel one : flood) {
                one.close();
            }
            speaking.close();
            silent.close();
            newest.close();
        }
    }

    /** The server is held between two that come in, until many are behind them. */
    @Test
    void oneThatSpokeAfterItCameInIsHeardBeforeSilentOnesHaveToGo() throws Exception {
        ControlMethod quick = ControlMethod.quick(
                "quick", (call, result) -> result.beginObject().endObject());
        CountDownLatch wanted = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        Linux held = new Linux((call, a, b, c, d, e, f) -> {
            if (call == Call.ACCEPT4) {
                wanted.countDown();
                if (wanted.getCount() == 0) {
                    await(release);
                }
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        });
        ServerRoom.Parts parts = ServerRoom.Parts.of(quick)
                .with(new ServerBounds(16, MEBIBYTE, 60_000, 60_000, 1000, 600_000))
                .with(held);
        ByteBuffer frame = ControlRoom.frame(ServerRoom.request("quick"));
        try (ServerRoom room = new ServerRoom(directory, parts)) {
            SocketChannel speaking = room.connect();
            await(wanted);
            ServerRoom.write(speaking, frame.slice(0, 40));
            List<SocketChannel> silent = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                silent.add(room.connect());
            }
            release.countDown();
            assertThat(ControlRoom.response(silent.getFirst()))
                    .as("the control: there were too many")
                    .isEmpty();
            ServerRoom.write(speaking, frame.slice(40, frame.limit() - 40));

            assertThat(ControlRoom.response(speaking)).isPresent();
            speaking.close();
            for (SocketChannel one : silent) {
                one.close();
            }
        }
    }
}
