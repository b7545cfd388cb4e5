package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** What upstreams ask (W16, bug 11), and what is told while calls are under way (W14). */
@Tag("process")
final class AsksTest {
    private static final String SAMPLING = "{'messages':[],'maxTokens':5}";

    private static Room.Plan allowed() {
        Room.Plan plan = new Room.Plan();
        plan.sampling = Set.of("files");
        plan.elicitation = Set.of("files");
        return plan;
    }

    @Test
    void aProgressTokenInOtherLetterCaseIsRefused() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            String answer = agent.asked(
                            "1",
                            "tools/call",
                            "{'name':'files__read','_meta':{'progresstoken':'7'}}")
                    .toJson();

            assertThat(answer).contains("progressToken").contains("misspelt");
            files.silence();
            agent.ask("2", "tools/call", "{'name':'files__read','_meta':{'progressToken':'7'}}");
            files.expect("tools/call");
        }
    }

    @Test
    void anUpstreamThatIsNotToBeToldOfRootsHearsOfNone() {
        Room.Plan plan = new Room.Plan();
        plan.roots = List.of(new Root("file:///work", "work"));
        plan.withoutRoots = Set.of("files");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            room.agent().greet("2025-06-18", "{'roots':{}}");

            files.ask("'r'", "roots/list", "{}");

            assertThat(files.next().toJson()).contains("{\"roots\":[]}");
        }
    }

    /** Whoever has asked an upstream something can be asked by it. */
    private static void call(TestPeer agent, TestPeer files) {
        agent.ask("'call'", "tools/call", "{'name':'files__read'}");
        files.expect("tools/call");
    }

    @Test
    void rootsAreAnsweredHereWithWhatTheCallerGrants() {
        Room.Plan plan = new Room.Plan();
        plan.roots = List.of(new Root("file:///work", "work \"x\""));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'roots':{'listChanged':true}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}");

            files.ask("'r'", "roots/list", "{}");

            assertThat(files.next().toJson())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":"
                                    + "{\"roots\":[{\"uri\":\"file:///work\",\"name\":\"work \\\"x\\\"\"}]}}");
            files.silence();
            agent.silence();
        }
    }

    @Test
    void whatIsNotAllowedIsRefusedAndTheOwnerIsToldHowToAllowIt() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files");
            JsonValue hello = files.expect("initialize");
            assertThat(hello.toJson()).contains("\"capabilities\":{\"roots\":{}}");
            files.answer(hello, "{'protocolVersion':'2025-11-25','capabilities':{}}");
            files.expect("notifications/initialized");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'sampling':{},'elicitation':{}}");

            for (String method : List.of(
                    "sampling/createMessage",
                    "elicitation/create",
                    "tools/call",
                    "x\\u0022y",
                    "tasks/get",
                    "resources/list")) {
                files.ask("1", method, "{}");
                assertThat(files.next().toJson())
                        .contains("\"id\":1,\"error\":{\"code\":-32601")
                        .doesNotContain("--allow");
            }
            agent.silence();
            assertThat(room.events(Kind.REFUSED))
                    .anyMatch(event -> event.reason().contains("--allow-sampling files"));
        }
    }

    @Test
    void samplingIsPassedToTheAgentTaggedAndItsAnswerBack() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files");
            JsonValue hello = files.expect("initialize");
            assertThat(hello.toJson()).contains("\"roots\":{},\"sampling\":{},\"elicitation\":{}");
            files.answer(hello, "{'protocolVersion':'2025-11-25','capabilities':{'tools':{}}}");
            files.expect("notifications/initialized");
            files.list("tools/list", TestPeer.toolList("read"));
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'sampling':{}}");
            call(agent, files);

            files.ask(
                    "'s'",
                    "sampling/createMessage",
                    "{'messages':[{'role':'user','content':{'type':'te"
                            + "xt','text':'1.0'}}],'includeContext':'allServers',"
                            + "'maxTokens':5,'_meta':{'progressToken':'t','a':1}}");
            JsonValue asked = agent.expect("sampling/createMessage");
            String id = TestPeer.id(asked);
            assertThat(asked.member("params").orElseThrow().toJson())
                    .isEqualTo(
                            "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"1.0\"}}],"
                                    + "\"includeContext\":\"none\",\"maxTokens\":5,\"_meta\":{\"progressToken\":"
                                    + id
                                    + ",\"a\":1,\"glove/upstream\":\"files\"}}");
            agent.say(
                    "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':"
                            + id + ",'progress':1.0}}");
            assertThat(files.next().toJson())
                    .contains("{\"progressToken\":\"t\",\"progress\":1.0}");
            agent.answer(
                    asked,
                    "{'role':'assistant','content':{'type':'text','text':'hi'},'model':'m','n':1E2}");

            assertThat(files.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"result\":"
                            + "{\"role\":\"assistant\",\"content\":{\"type\":\"t"
                            + "ext\",\"text\":\"hi\"},\"model\":\"m\",\"n\":1E2}}");
            agent.answer(asked, "{}");
            files.silence();
            assertThat(room.events(Kind.ASKED)).hasSize(1);
        }
    }

    @Test
    void anAgentThatCannotAnswerIsNotAsked() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files").welcome("{}");
            TestPeer agent = room.agent().greeted();

            files.ask("1", "sampling/createMessage", SAMPLING);

            assertThat(files.next().toJson()).contains("-32601");
            agent.silence();
        }
    }

    @Test
    void amongSeveralAgentsTheOneThatHasACallUnderWayIsAsked() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer first = room.agent();
            first.greet("2025-06-18", "{'sampling':{}}");
            TestPeer second = room.agent();
            second.greet("2025-06-18", "{'sampling':{}}");

            files.ask("1", "sampling/createMessage", SAMPLING);
            assertThat(files.next().toJson()).contains("-32601");
            second.ask("1", "tools/call", "{'name':'files__read'}");
            files.expect("tools/call");
            files.ask("2", "sampling/createMessage", SAMPLING);

            second.expect("sampling/createMessage");
            first.silence();
        }
    }

    @Test
    void aFormIsPassedWithItsSourceAndOneThatAsksForSecretsIsNot() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'elicitation':{}}");
            call(agent, files);
            String form =
                    "{'message':'your \\u0022name\\u0022','requestedSchema':{'type':'object','properties':"
                            + "{'name':{'type':'string'}}}}";

            files.ask("1", "elicitation/create", form);
            JsonValue asked = agent.expect("elicitation/create");
            assertThat(asked.toJson()).contains("\"message\":\"[files] your \\\"name\\\"\"");
            agent.answer(asked, "{'action':'decline'}");
            assertThat(files.next().toJson()).contains("decline");
            for (String bad : List.of(
                    form.replace("'name':{", "'API_Key':{"),
                    form.replace("'type':'string'", "'type':'string','title':'Pass word'"),
                    form.replace("'type':'string'", "'description':'the secret'"),
                    "{'mode':'url','url':'https://x','elicitationId':'1','message':'m'}",
                    form.replace("{'message'", "{'mode':'url','message'"),
                    form.replace("{'message'", "{'mode':1,'message'"),
                    form.replace("{'message'", "{'task':{},'message'"),
                    "{'message':'m'}",
                    "{'message':1,'requestedSchema':{'properties':{}}}",
                    "{}")) {
                files.ask("2", "elicitation/create", bad);
                assertThat(files.next().toJson()).as(bad).contains("-32602");
            }
            files.ask("3", "sampling/createMessage", "{'messages':[],'tools':[]}");
            assertThat(files.next().toJson()).contains("-32602");
            agent.silence();
        }
    }

    @Test
    void anUpstreamMayTakeItsQuestionBackAndAnAgentMayBeGone() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'sampling':{}}");
            call(agent, files);
            files.ask("'a'", "sampling/createMessage", SAMPLING);
            JsonValue asked = agent.expect("sampling/createMessage");

            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'a','reason':'r'}}");
            assertThat(agent.expect("notifications/cancelled").toJson())
                    .contains("{\"requestId\":" + TestPeer.id(asked) + ",\"reason\":\"r\"}");
            files.ask("'b'", "sampling/createMessage", SAMPLING);
            agent.expect("sampling/createMessage");
            agent.close();
            room.turns();

            files.expect("notifications/cancelled");
            assertThat(files.next().toJson())
                    .contains("\"id\":\"b\",\"error\"")
                    .contains("the client is gone");
        }
    }

    @Test
    void aCallWhoseUpstreamWaitsForAUserIsNotGivenUpMeanwhile() {
        Room.Plan plan = allowed();
        plan.limits.firstMillis = 1000;
        plan.limits.idleMillis = 1000;
        plan.limits.hardMillis = 60_000;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'elicitation':{}}");
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            files.expect("tools/call");
            room.pass(900);
            files.ask(
                    "9",
                    "elicitation/create",
                    "{'message':'m','requestedSchema':{'type':'object','properties':{}}}");
            JsonValue asked = agent.expect("elicitation/create");

            room.pass(999);
            agent.silence();
            agent.answer(asked, "{'action':'accept','content':{}}");
            files.next();
            room.pass(999);
            agent.silence();
            room.pass(1);

            assertThat(agent.next().toJson()).contains("-31002");
        }
    }

    @Test
    void anUpstreamAsksSoManyAtOnceAndNoMore() {
        try (Room room = new Room(allowed())) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();
            agent.greet("2025-06-18", "{'sampling':{}}");
            call(agent, files);
            for (int i = 0; i < 8; i++) {
                files.ask("" + i, "sampling/createMessage", SAMPLING);
                agent.expect("sampling/createMessage");
            }

            files.ask("8", "sampling/createMessage", SAMPLING);
            assertThat(files.next().toJson()).contains("\"id\":8,\"error\"");
            files.ask("1", "sampling/createMessage", SAMPLING);

            assertThat(files.next().toJson()).contains("\"id\":1,\"error\"");
            agent.silence();
        }
    }

    /** Bug 4: tokens were lost or invented. */
    @Test
    void progressIsToldUnderTheAgentsTokenInItsKindAndOnlyForCallsUnderWay() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read','_meta':{'progressToken':'1'}}");
            agent.ask("2", "tools/call", "{'name':'files__read','_meta':{'progressToken':1}}");
            agent.ask("3", "tools/call", "{'name':'files__read'}");
            JsonValue first = files.expect("tools/call");
            JsonValue second = files.expect("tools/call");
            JsonValue third = files.expect("tools/call");
            String progress = "{'jsonrpc':'2.0','method':'notifications/progres"
                    + "s','params':{'progressToken':%s,'progress':0.10}}";

            for (String token : List.of(
                    TestPeer.id(first),
                    TestPeer.id(second),
                    TestPeer.id(third),
                    "'" + TestPeer.id(first) + "'",
                    "99",
                    "'1'",
                    "null",
                    "1.5",
                    "{}")) {
                files.say(progress.replace("%s", token));
            }

            assertThat(agent.all())
                    .containsExactly(
                            TestPeer.json(progress.replace("%s", "'1'")),
                            TestPeer.json(progress.replace("%s", "1")));
            files.answer(first, "{}");
            agent.next();
            files.say(progress.replace("%s", TestPeer.id(first)));
            agent.silence();
        }
    }

    /** Bugs 3 and 28: not forwarded, with the wrong id, or executed again. */
    @Test
    void aCancelReachesTheRightUpstreamUnderItsIdAndTheLateAnswerNobody() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            agent.ask("'x'", "tools/call", "{'name':'web__get'}");
            agent.ask("7", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");
            web.expect("tools/call");

            agent.say(
                    "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'7'}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/cancelled"
                    + "','params':{'requestId':7,'reason':'no\\u0022\\n'}}");

            assertThat(files.expect("notifications/cancelled").toJson())
                    .contains("{\"requestId\":" + TestPeer.id(call) + ",\"reason\":\"no\\\"?\"}");
            files.answer(call, "{'content':[]}");
            agent.silence();
            web.silence();
            assertThat(room.events(Kind.CANCELLED)).hasSize(1);
            agent.ask("7", "tools/call", "{'name':'files__read'}");
            assertThat(TestPeer.id(files.expect("tools/call"))).isNotEqualTo(TestPeer.id(call));
        }
    }

    @Test
    void otherNotificationsEndHereInBothDirections() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (String method : List.of(
                    "notifications/tools/list_changed",
                    "notifications/message",
                    "tools/call",
                    "x",
                    "notifications/progress",
                    "notifications/tasks/status",
                    "notifications/resources/updated")) {
                agent.say("{'jsonrpc':'2.0','method':'" + method
                        + "','params':{'name':'files__read'}}");
            }
            for (String method : List.of(
                    "notifications/initialized",
                    "notifications/roots/list_changed",
                    "x",
                    "notifications/elicitation/complete",
                    "notifications/tasks/status",
                    "tools/call")) {
                files.say("{'jsonrpc':'2.0','method':'" + method + "','params':{}}");
            }

            agent.silence();
            files.silence();
            assertThat(room.events(Kind.REFUSED)).hasSizeGreaterThan(9);
        }
    }
}
