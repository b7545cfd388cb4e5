package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.Syscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Clients that misbehave lose their own connection; all others are served. */
@Tag("process")
@Timeout(900)
final class ControlServerTest {
    private static final ServerBounds IMPATIENT =
            new ServerBounds(256, 16 << 20, 200, 60_000, 1000, 600_000);

    @TempDir
    private Path directory;

    private static void send(SocketChannel channel, ByteBuffer bytes) throws Exception {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void assertServed(ControlRoom room) throws Exception {
        assertThat(room.answer(room.request("health", "null"))).contains("ready");
        assertThat(room.isServing()).isTrue();
    }

    @Test
    void aFrameOfNoLengthOrTooLongIsClosedWithoutAnAnswer() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            for (int length : new int[] {0, (1 << 20) + 1, -1, Integer.MAX_VALUE}) {
                try (SocketChannel channel = room.connect()) {
                    send(channel, ByteBuffer.allocate(4).putInt(length).flip());

                    assertThat(ControlRoom.response(channel)).isEmpty();
                }
            }
            assertServed(room);
        }
    }

    @Test
    void aFrameOfTheLargestLengthIsAnswered() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            String small = room.request("health", "null");
            String largest = small + " ".repeat((1 << 20) - small.length());

            assertThat(room.answer(largest)).contains("ready");
        }
    }

    @Test
    void aTruncatedFrameIsDroppedWhenItsClientCloses() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            ByteBuffer whole = ControlRoom.frame(room.request("health", "null"));
            for (int cut = 0; cut < whole.limit(); cut += 7) {
                try (SocketChannel channel = room.connect()) {
                    send(channel, whole.duplicate().limit(cut));
                    channel.shutdownOutput();

                    assertThat(ControlRoom.response(channel)).isEmpty();
                }
            }
            assertServed(room);
        }
    }

    @Test
    void aRequestInSingleBytesIsAnsweredAndSoIsAHalfClosedClient() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT);
                SocketChannel channel = room.connect()) {
            ByteBuffer whole = ControlRoom.frame(room.request("health", "null"));
            for (int i = 0; i < whole.limit(); i++) {
                send(channel, whole.slice(i, 1));
            }
            channel.shutdownOutput();

            assertThat(ControlRoom.response(channel).orElseThrow()).contains("ready");
        }
    }

    @Test
    void onlyTheFirstOfPipelinedRequestsIsAnswered() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT);
                SocketChannel channel = room.connect()) {
            String first = room.request("health", "null");
            String second = room.request(
                    "create_session", "k", ControlRoom.creation("s", ControlRoom.plan()));
            ByteBuffer both = ByteBuffer.allocate(first.length() + second.length() + 8);
            both.put(ControlRoom.frame(first)).put(ControlRoom.frame(second)).flip();
            send(channel, both);

            assertThat(ControlRoom.response(channel).orElseThrow()).contains("ready");
            assertThat(ControlRoom.response(channel)).isEmpty();
            assertThat(room.answer(room.request("session_status", "{\"session_id\":\"s\"}")))
                    .contains("session_not_found");
        }
    }

    /** Those who are not slow have asked before they are let in, however busy the machine is. */
    @Test
    void aSlowClientMissesItsDeadlineWhileOthersAreServed() throws Exception {
        Object entrance = new Object();
        Linux gated = new Linux((call, a, b, c, d, e, f) -> {
            synchronized (call == Call.ACCEPT4 ? entrance : new Object()) {
                return Syscalls.host().call(call, a, b, c, d, e, f);
            }
        });
        ControlMethod quick = ControlMethod.quick(
                "quick", (call, result) -> result.beginObject().endObject());
        ServerRoom.Parts parts = ServerRoom.Parts.of(quick).with(IMPATIENT).with(gated);
        try (ServerRoom room = new ServerRoom(directory, parts);
                SocketChannel silent = room.connect();
                SocketChannel slow = room.connect()) {
            ServerRoom.write(slow, ByteBuffer.allocate(8).putInt(100).putInt(0).flip());
            assertServed(room, entrance);

            assertThat(ControlRoom.response(silent)).isEmpty();
            assertThat(ControlRoom.response(slow)).isEmpty();
            assertServed(room, entrance);
        }
    }

    private static void assertServed(ServerRoom room, Object entrance) throws Exception {
        SocketChannel asked;
        synchronized (entrance) {
            asked = room.send(ServerRoom.request("quick"));
        }
        try (asked) {
            assertThat(ControlRoom.response(asked)).isPresent();
        }
    }

    @Test
    void aClientThatDoesNotTakeItsResponseIsDropped() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            for (int i = 0; i < 20; i++) {
                try (SocketChannel channel = room.connect()) {
                    send(channel, ControlRoom.frame(room.request("capabilities", "null")));
                }
            }
            assertServed(room);
        }
    }

    @Test
    void floodsOfSilentClientsDoNotKeepOthersOut() throws Exception {
        try (ControlRoom room = new ControlRoom(
                directory, new ServerBounds(8, 16 << 20, 60_000, 60_000, 1000, 600_000))) {
            List<SocketChannel> silent = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                silent.add(room.connect());
                assertServed(room);
            }
            assertThat(ControlRoom.response(silent.get(0)))
                    .as("the oldest went")
                    .isEmpty();
            for (SocketChannel one : silent) {
                one.close();
            }
        }
    }

    @Test
    void unfinishedRequestsTogetherAreBoundedInMemory() throws Exception {
        try (ControlRoom room = new ControlRoom(
                directory, new ServerBounds(64, 2 << 20, 60_000, 60_000, 1000, 600_000))) {
            List<SocketChannel> large = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                SocketChannel channel = room.connect();
                large.add(channel);
                send(channel, ByteBuffer.allocate(900_000).putInt(0, 1 << 20));
            }

            assertThat(ControlRoom.response(large.get(0))).as("the oldest went").isEmpty();
            assertServed(room);
            for (SocketChannel one : large) {
                one.close();
            }
        }
    }

    @Test
    void tenThousandConnectionsOneAfterTheOtherLeaveNothingOpen() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            assertServed(room);
            long before = openFiles();
            for (int i = 0; i < 10_000; i++) {
                try (SocketChannel channel = room.connect()) {
                    if (i % 3 != 0) {
                        send(channel, ControlRoom.frame(room.request("health", "null")));
                    }
                    if (i % 3 == 1) {
                        assertThat(ControlRoom.response(channel)).isPresent();
                    }
                }
            }
            assertServed(room);
            while (openFiles() >= before + 10) {
                TimeUnit.MILLISECONDS.sleep(1); // the server hears of the last ones in its turn
            }
        }
    }

    private static long openFiles() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @Test
    void sixtyFourClientsAtOnceGetEachTheirOwnAnswer() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            List<Thread> clients = new ArrayList<>();
            String plan = ControlRoom.plan();
            for (int i = 0; i < 64; i++) {
                String id = "s-" + i;
                clients.add(Thread.ofPlatform().start(() -> {
                    try {
                        String made = room.answer(room.request(
                                "create_session", "k-" + id, ControlRoom.creation(id, plan)));
                        String told = room.answer(
                                room.request("session_status", "{\"session_id\":\"" + id + "\"}"));
                        if (!made.contains("\"" + id + "\"") || !told.equals(made)) {
                            wrong.add(made + told);
                        }
                    } catch (java.io.IOException e) {
                        wrong.add(e.toString());
                    }
                }));
            }
            for (Thread client : clients) {
                client.join();
            }
            assertThat(wrong).isEmpty();
        }
    }

    @Test
    void aSignalEndsTheServerAndItsSocketAndDropsWhoHasNotAsked() throws Exception {
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT);
                SocketChannel silent = room.connect()) {
            assertServed(room);

            room.signal();

            assertThat(ControlRoom.response(silent)).isEmpty();
            room.awaitEnd();
            assertThat(room.hasStopped()).isTrue();
            assertThat(directory.resolve("runtime/gloved.sock")).doesNotExist();
        }
    }
}
