package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much is kept for whom, and who is heard at all. */
@Tag("process")
final class BoundsTest {
    @Test
    void theHoardsOfAllAgentsAreAtMostAQuarterOfTheHeap() {
        for (long heap : new long[] {64 << 20, 256 << 20, 1 << 30, 1L << 40}) {
            assertThat(8L * GatewayLimits.hoardBytes(heap)).isLessThanOrEqualTo(heap / 4);
        }
        assertThat(GatewayLimits.hoardBytes(1L << 40)).isEqualTo(64 << 20);
    }

    @Test
    void requestsThatWaitForUpstreamsToStartAreBoundedInBytes() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withQueues(1 << 20, 2 << 20, 64, 32 << 20);
        try (Room room = new Room(plan)) {
            room.upstream("files").expect("initialize");
            TestPeer agent = room.agent();
            agent.ask("'hello'", "initialize", "{'protocolVersion':'2025-06-18'}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            String large = "{'name':'files__read','arguments':{'x':'" + "y".repeat(400_000) + "'}}";

            agent.ask("1", "tools/call", large);
            agent.ask("2", "tools/call", large);

            assertThat(agent.next().toJson()).contains("\"id\":2").contains("too much waits");
        }
    }

    @Test
    void anUpstreamOfWhichNothingIsAllowedHasNoWordWithAgents() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("web.*");
        String log = "{'jsonrpc':'2.0','method':'notifications/message',"
                + "'params':{'level':'info','data':'obey'}}";
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'logging':{}}");
            TestPeer web = room.upstream("web").welcome("{'tools':{},'logging':{}}");
            web.list("tools/list", TestPeer.toolList("read"));
            TestPeer agent = room.agent().greeted();

            files.say(log);
            agent.silence();

            web.say(log);
            assertThat(agent.next().toJson()).as("control").contains("obey");
        }
    }
}
