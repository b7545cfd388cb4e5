package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.Linux;
import glove.sys.Syscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What goes wrong while one client is served costs that client, and nobody else anything. */
@Tag("process")
@Timeout(900)
final class ControlFaultTest {
    private static final ControlMethod QUICK = ControlMethod.quick(
            "quick", (call, result) -> result.beginObject().member("done", 1).endObject());
    private static final ControlMethod SLOW = ControlMethod.slow(
            "slow", (call, result) -> result.beginObject().member("done", 1).endObject());

    /** Those the server makes for one client. */
    private static final Set<Call> OF_A_CLIENT =
            EnumSet.of(Call.ACCEPT4, Call.GETSOCKOPT, Call.RECVFROM, Call.SENDTO, Call.EPOLL_CTL);

    @TempDir
    private Path directory;

    /** How a call goes wrong. */
    private interface Wrong {
        long happens();
    }

    /** Once, when armed: the n-th call for a client goes wrong. */
    private static final class Trap {
        private final Wrong wrong;
        private final AtomicInteger left = new AtomicInteger();

        Trap(Wrong wrong) {
            this.wrong = wrong;
        }

        /** Whether the trap of before was met. */
        boolean arm(int nth) {
            return left.getAndSet(nth) <= 0;
        }

        Syscalls kernel() {
            return (call, a, b, c, d, e, f) -> {
                boolean client = OF_A_CLIENT.contains(call) && ServerRoom.isIn("server");
                if (client && left.getAndUpdate(n -> n > 0 ? n - 1 : 0) == 1) {
                    return wrong.happens();
                }
                return Syscalls.host().call(call, a, b, c, d, e, f);
            };
        }
    }

    private static final List<Wrong> ALL = List.of(
            () -> {
                throw new IllegalStateException("a bug");
            },
            () -> {
                throw new OutOfMemoryError("no memory");
            },
            () -> -Errno.EIO,
            () -> -Errno.ENOSPC,
            () -> -Errno.EPERM,
            () -> -Errno.EMFILE,
            () -> -Errno.ECONNABORTED,
            () -> -Errno.ENOMEM);

    /** All a client can do: whole at once, in two parts, large, and leaving early. */
    private static void visit(ServerRoom room) throws IOException {
        room.ask(ServerRoom.request("quick"));
        room.ask(ServerRoom.request("slow"));
        room.ask(ServerRoom.request("quick") + " ".repeat(200_000));
        room.send(ServerRoom.request("slow")).close();
        try (SocketChannel parts = room.connect()) {
            ServerRoom.write(
                    parts, ControlRoom.frame(ServerRoom.request("slow")).limit(50));
            room.ask(ServerRoom.request("quick"));
            ServerRoom.write(
                    parts, ControlRoom.frame(ServerRoom.request("slow")).position(50));
            ControlRoom.response(parts);
        }
    }

    @Test
    void anyCallForAClientMayFailInAnyWay() throws Exception {
        for (Wrong wrong : ALL) {
            Trap trap = new Trap(wrong);
            try (ServerRoom room = new ServerRoom(
                    directory, ServerRoom.Parts.of(QUICK, SLOW).with(new Linux(trap.kernel())))) {
                int nth = 1;
                trap.arm(nth);
                for (; ; nth++) {
                    visit(room);
                    boolean met = trap.arm(nth + 1);
                    assertThat(room.isServing()).as("call %s", nth).isTrue();
                    if (!met) {
                        break;
                    }
                }
                trap.arm(0);
                assertThat(nth).as("the control: many calls failed").isGreaterThan(20);
                assertThat(room.ask(ServerRoom.request("quick")).orElseThrow()).contains("done");
                assertThat(room.ask(ServerRoom.request("slow")).orElseThrow()).contains("done");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "slow"})
    void aMethodMayThrowWhateverThereIs(String name) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        ControlMethod.Handler wrong = (call, result) -> {
            switch (turn.getAndIncrement()) {
                case 0 -> throw new IllegalStateException("a bug");
                case 1 -> throw new OutOfMemoryError("no memory");
                case 2 -> throw new StackOverflowError();
                case 3 -> throw new NoClassDefFoundError("a part is missing");
                default -> result.beginObject().endObject();
            }
        };
        ControlMethod method = name.equals("quick")
                ? ControlMethod.quick(name, wrong)
                : ControlMethod.slow(name, wrong);
        try (ServerRoom room = new ServerRoom(directory, ServerRoom.Parts.of(method))) {
            for (int i = 0; i < 4; i++) {
                assertThat(room.ask(ServerRoom.request(name))).as("%s", i).isEmpty();
            }
            for (int i = 0; i < 2 * Crew.WORKERS; i++) {
                assertThat(room.ask(ServerRoom.request(name))).isPresent();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200_000})
    void whatLooksAtARequestMayFail(int space) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        ServerRoom.Parts parts = ServerRoom.Parts.of(QUICK).with(() -> {
            if (turn.getAndIncrement() < 8) {
                throw new OutOfMemoryError("no memory");
            }
            return 1;
        });
        String request = ServerRoom.request("quick") + " ".repeat(space);
        try (ServerRoom room = new ServerRoom(directory, parts)) {
            for (int i = 0; i < 8; i++) {
                assertThat(room.ask(request)).isEmpty();
            }
            assertThat(room.ask(request)).isPresent();
        }
    }

    /** The client goes at the moment the work is done: the loop alone may close the connection. */
    @Test
    void clientsThatHangUpWhileTheirRequestIsCarriedOutHarmNobody() throws Exception {
        AtomicInteger carriedOut = new AtomicInteger();
        ControlMethod counted = ControlMethod.slow("slow", (call, result) -> {
            carriedOut.incrementAndGet();
            result.beginObject().member("done", 1).endObject();
        });
        try (ServerRoom room = new ServerRoom(directory, ServerRoom.Parts.of(counted))) {
            for (int i = 0; i < 3000; i++) {
                SocketChannel channel = room.connect();
                var frame = ControlRoom.frame(ServerRoom.request("slow"));
                ServerRoom.write(channel, frame.slice(0, 4)); // so that epoll watches it
                int before = carriedOut.get();
                ServerRoom.write(channel, frame.slice(4, frame.limit() - 4));
                while (i % 20 == 0 && carriedOut.get() == before) {
                    TimeUnit.MICROSECONDS.sleep(50); // else a busy machine forgets all in time
                }
                channel.close();
            }
            assertThat(room.ask(ServerRoom.request("slow")).orElseThrow()).contains("done");
            assertThat(carriedOut.get()).as("the control: work was done").isGreaterThan(100);
        }
    }

    @Test
    void anAnswerGoesToItsOwnClientThoughOthersLeft() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        ControlMethod held = ControlMethod.slow("slow", (call, result) -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            result.beginObject().endObject();
        });
        ControlMethod named = ControlMethod.slow(
                "named",
                (call, result) -> result.beginObject()
                        .member("said", call.payload().orElseThrow().toJson())
                        .endObject());
        try (ServerRoom room = new ServerRoom(directory, ServerRoom.Parts.of(held, named))) {
            for (int i = 0; i < Crew.WORKERS - 1; i++) {
                room.send(ServerRoom.request("slow")).close();
            }
            for (int i = 0; i < 50; i++) {
                Optional<String> said = room.ask(ServerRoom.request("named", "\"n" + i + "\""));
                assertThat(said.orElseThrow()).contains("n" + i);
            }
            release.countDown();
        }
    }
}
