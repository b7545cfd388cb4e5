package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** In each round everybody has a share, whoever says how much: counted in bytes, not in time. */
@Tag("process")
final class FairnessTest {
    private static final String CALL = "{'name':'web__get'}";

    private static byte[] line(int bytes) {
        return ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"x\":\""
                        + "y".repeat(bytes) + "\"}}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsTakenOfOnePeerInARoundIsBoundedInBytes() {
        try (Room room = new Room()) {
            TestPeer files = room.upstreamOfPipes("files", 1 << 20).tools("read");
            for (int bytes : new int[] {100, 10_000, 100_000}) {
                byte[] flood = line(bytes);
                room.turns();
                int before = files.sayNow(flood);

                room.round();

                int free = files.sayNow(flood);
                assertThat(before).as("control: a flood").isGreaterThan(Peer.ROUND_BYTES);
                assertThat(free).isLessThanOrEqualTo(Peer.ROUND_BYTES + (64 << 10));
            }
        }
    }

    @Test
    void ofLargeMessagesOneIsTakenInARound() {
        try (Room room = new Room()) {
            List<TestPeer> floods = new ArrayList<>();
            byte[] line = line(3 << 20);
            for (String name : List.of("files", "u", "web")) {
                TestPeer flood = room.upstream(name).tools("read");
                flood.sayBytes(Arrays.copyOf(line, line.length - 1));
                floods.add(flood);
            }
            for (TestPeer flood : floods) {
                assertThat(flood.sayNow(new byte[] {'\n'}, 1)).isEqualTo(1);
            }

            long all = 0;
            for (int round = 0; all < 3; round++) {
                room.round();
                long now = refused(room);
                assertThat(now - all).as("large messages of a round").isLessThanOrEqualTo(1);
                all = now;
                assertThat(round).isLessThan(10);
            }
        }
    }

    private static long refused(Room room) {
        long all = 0;
        for (GatewayEvent event : room.events(GatewayEvent.Kind.REFUSED)) {
            all += event.times();
        }
        return all;
    }

    /** It is sent and answered within the rounds of one that says nothing but large messages. */
    @Test
    void aCallToAnotherUpstreamTakesAsManyRoundsAsWithoutAFlood() {
        try (Room room = new Room()) {
            TestPeer files = room.upstreamOfPipes("files", 1 << 20).tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            for (int bytes : new int[] {100, 100_000, 2 << 20, 12 << 20}) {
                byte[] flood = line(bytes);
                for (int i = 0; i < 40; i++) {
                    agent.tell("{'jsonrpc':'2.0','id':" + i + ",'method':'tools/call','params':"
                            + CALL + "}");
                    files.sayNow(flood);
                    room.round();
                    files.sayNow(flood);
                    JsonValue call = TestPeer.parse(
                            new String(web.peek().orElseThrow(), StandardCharsets.UTF_8));
                    web.tell("{'jsonrpc':'2.0','id':" + TestPeer.id(call) + ",'result':{}}");
                    room.round();

                    Optional<byte[]> answer = agent.peek();
                    assertThat(answer).as("%s bytes, call %s", bytes, i).isPresent();
                }
            }
        }
    }

    @Test
    void anAgentThatFloodsDoesNotHoldUpAnother() {
        try (Room room = new Room()) {
            room.upstream("web").tools("get");
            TestPeer flooding = room.agent().greeted();
            TestPeer agent = room.agent().greeted();
            byte[] flood = line(8 << 20);
            for (int i = 0; i < 100; i++) {
                flooding.sayNow(flood);
                agent.tell("{'jsonrpc':'2.0','id':" + i + ",'method':'ping'}");

                room.round();

                assertThat(agent.peek()).isPresent();
            }
        }
    }

    /** Half of the time at most goes to large messages, and none that was sent is lost. */
    @Test
    void whoseLargeMessageTookLongRestsAndIsHeardAfterwardsToItsEnd() {
        try (Room room = new Room()) {
            TestPeer files = room.upstreamOfPipes("files", 1 << 20).tools("read");
            TestPeer agent = room.agent().greeted();
            room.nanosOfLook = 20_000_000; // each look at the clock takes so long
            byte[] large = line(300_000);
            assertThat(files.sayNow(large, large.length)).isEqualTo(large.length);
            room.round();
            long rest = room.gateway.patience();
            assertThat(files.sayNow(line(1), 1000)).isPositive();
            files.close();
            room.nanosOfLook = 0;
            room.turns();

            assertThat(rest).as("milliseconds of rest").isBetween(10L, 80L);
            assertThat(refused(room)).isEqualTo(1);
            assertThat(room.ended).isEmpty();
            assertThat(agent.asked("1", "ping", "{}").toJson()).contains("\"result\"");
            room.pass(1000);
            assertThat(refused(room)).isGreaterThan(1);
            assertThat(room.ended).singleElement().asString().contains("it closed its output");
        }
    }

    /** The agents count as one: several of them could else have any upstream ended. */
    @Test
    void agentsThatHoldTheMostLoseItNotTheUpstreamThatHoldsLess() {
        Room.Plan plan = new Room.Plan();
        plan.limits.shares = new HeapShares(1 << 20, 1 << 20, 1 << 20);
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstreamOfPipes("files", 1 << 20).tools("read");
            for (int i = 0; i < 4; i++) {
                hold(room, room.agent().greeted(), 200 << 10);
            }

            hold(room, files, 300 << 10);

            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .startsWith("agent ")
                    .contains("the most of all");
        }
    }

    private static void hold(Room room, TestPeer peer, int bytes) {
        byte[] part = new byte[bytes];
        Arrays.fill(part, (byte) 'x');
        int said = 0;
        for (int i = 0; i < 100 && said < bytes; i++) {
            said += peer.sayNow(part, bytes - said);
            room.round();
        }
        assertThat(said).isEqualTo(bytes);
    }
}
