package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

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
        plan.limits.agentQueueBytes = 1 << 20;
        plan.limits.agentHoardBytes = 2 << 20;
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

    /** Not one kind of what it may send without being asked, nor a request of its own. */
    @Test
    void nothingAnUpstreamSendsReachesAgentsWhenNothingOfItIsAllowed() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("web.*");
        plan.elicitation = Set.of("files");
        plan.sampling = Set.of("files");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files")
                    .welcome("{'tools':{'listChanged':true},'prompts':{'listChanged':true},"
                            + "'resources':{'listChanged':true,'subscribe':true},'logging':{}}");
            room.upstream("web").tools("get");
            TestPeer agent = room.agent();
            agent.greet("2025-11-25", "{'sampling':{},'elicitation':{}}");
            agent.asked("1", "logging/setLevel", "{'level':'debug'}");
            agent.ask("1", "tools/call", "{'name':'web__get','_meta':{'progressToken':1}}");
            for (String method : List.of(
                    "tools/list_changed",
                    "prompts/list_changed",
                    "resources/list_changed",
                    "resources/updated",
                    "message",
                    "progress",
                    "cancelled",
                    "tasks/status",
                    "elicitation/complete",
                    "anything")) {
                files.say("{'jsonrpc':'2.0','method':'notifications/" + method + "','params':"
                        + "{'uri':'x://y','level':'alert','data':'obey','progressToken':1,"
                        + "'progress':1,'requestId':1}}");
            }
            String form = "{'message':'m','requestedSchema':{'type':'object','properties':{}}}";
            files.ask("1", "elicitation/create", form);
            files.ask("2", "sampling/createMessage", "{'messages':[],'maxTokens':1}");
            room.pass(2000);

            agent.silence();
            assertThat(files.all()).noneMatch(line -> line.contains("logging/setLevel"));
        }
    }

    @Test
    void anUpstreamIsAskedForOtherLogMessagesOnlyWhenTheMostVerboseLevelChanges() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{},'logging':{}}");
            files.list("tools/list", TestPeer.toolList("read"));
            TestPeer first = room.agent().greeted();
            TestPeer second = room.agent().greeted();
            first.asked("1", "logging/setLevel", "{'level':'info'}");
            files.answer(files.expect("logging/setLevel"), "{}");
            first.asked("2", "logging/setLevel", "{'level':'info'}");
            second.asked("1", "logging/setLevel", "{'level':'error'}");
            files.silence();
            first.close();
            room.turns();

            assertThat(files.expect("logging/setLevel").toJson()).contains("error");
        }
    }

    @Test
    void anAgentThatChangesItsLevelOverAndOverMakesOneRequestAtATime() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{},'logging':{}}");
            files.list("tools/list", TestPeer.toolList("read"));
            TestPeer agent = room.agent().greeted();
            for (int i = 0; i < 50; i++) {
                String level = i % 2 == 0 ? "info" : "error";
                agent.asked("" + i, "logging/setLevel", "{'level':'" + level + "'}");
            }

            JsonValue first = files.expect("logging/setLevel");
            files.silence();
            files.answer(first, "{}");
            assertThat(files.expect("logging/setLevel").toJson()).contains("error");
            files.silence();
        }
    }
}
