package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sessions begin on both sides, and what is said before and beside. */
@Tag("process")
final class SessionTest {
    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "nonsense, 2025-11-25",
    })
    void initializeIsAnsweredHereInTheRevisionThatWasAskedOrOurNewest(String asked, String told) {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");

            JsonValue answer = room.agent().greet(asked, "{}");

            JsonValue result = answer.member("result").orElseThrow();
            assertThat(result.member("protocolVersion").orElseThrow().string()).isEqualTo(told);
            assertThat(result.member("serverInfo").orElseThrow().toJson()).contains("\"glove\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void anUpstreamMaySpeakAnyOfTheFourRevisions(String revision) {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files");
            JsonValue hello = files.expect("initialize");
            files.answer(
                    hello, "{'protocolVersion':'" + revision + "','capabilities':{'tools':{}}}");
            files.expect("notifications/initialized");
            files.list("tools/list", TestPeer.toolList("read"));

            JsonValue tools = room.agent().greeted().asked("1", "tools/list", "{}");

            assertThat(tools.toJson()).contains("\"files__read\"");
            assertThat(hello.toJson()).contains("\"protocolVersion\":\"2025-11-25\"");
        }
    }

    @Test
    void anUpstreamOfAnotherRevisionIsGivenUpAndTheOthersServe() {
        try (Room room = new Room()) {
            TestPeer old = room.upstream("files");
            old.answer(
                    old.expect("initialize"), "{'protocolVersion':'2023-01-01','capabilities':{}}");
            room.upstream("web").tools("get");

            JsonValue tools = room.agent().greeted().asked("1", "tools/list", "{}");

            assertThat(tools.toJson()).contains("web__get").doesNotContain("files__");
            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .startsWith("files -1 answered initialize");
        }
    }

    /** W1: server-everything does that, and it desynchronised the session for good. */
    @Test
    void notificationsBeforeTheAnswerToInitializeDisturbNothing() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files");
            JsonValue hello = files.expect("initialize");
            files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':1}}");
            files.say("{'jsonrpc':'2.0','id':'p','method':'ping'}");
            assertThat(files.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
            files.answer(hello, "{'protocolVersion':'2025-11-25','capabilities':{'tools':{}}}");
            files.expect("notifications/initialized");
            files.list("tools/list", TestPeer.toolList("read"));
            TestPeer agent = room.agent().greeted();

            agent.ask("1", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");
            files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            files.answer(call, "{'content':[]}");

            assertThat(agent.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
        }
    }

    @Test
    void onlyWhatIsAllowedAndThereIsAdvertised() {
        Room.Plan plan = new Room.Plan();
        plan.prompts = java.util.List.of(new PromptRule("files", ""));
        try (Room room = new Room(plan)) {
            TestPeer files =
                    room.upstream("files").welcome("{'tools':{},'resources':{},'prompts':{}}");
            files.list("tools/list", TestPeer.toolList("read"));
            files.list("prompts/list", "{'prompts':[]}");

            JsonValue answer = room.agent().greet("2025-06-18", "{}");

            JsonValue capabilities =
                    answer.member("result").orElseThrow().member("capabilities").orElseThrow();
            assertThat(capabilities.toJson())
                    .isEqualTo(
                            "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}}");
        }
    }

    @Test
    void requestsOfWhatIsNotAdvertisedAreNoMethodsAtAll() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            for (String method : new String[] {
                "resources/list",
                "resources/read",
                "prompts/get",
                "completion/complete",
                "logging/setLevel",
                "tasks/list",
                "tasks/get",
                "tasks/result",
                "tasks/cancel",
                "server/discover",
                "subscriptions/listen",
                "sampling/createMessage",
                "x"
            }) {
                JsonValue answer = agent.asked("'" + method + "'", method, "{}");
                assertThat(answer.toJson())
                        .contains("-32601")
                        .contains("Method not found: " + method);
            }
            files.silence();
        }
    }

    @Test
    void nothingButPingIsAnsweredBeforeTheSessionHasBegun() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent();

            assertThat(agent.asked("'early'", "ping", "{}").toJson()).contains("\"result\":{}");
            assertThat(agent.asked("1", "tools/list", "{}").toJson()).contains("-32600");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            assertThat(agent.asked("2", "tools/call", "{'name':'files__read'}").toJson())
                    .contains("-32600");
            agent.ask("3", "initialize", "{'protocolVersion':'2025-06-18','capabilities':{}}");
            assertThat(agent.next().toJson()).contains("\"id\":3,\"result\"");
            assertThat(agent.asked("4", "tools/list", "{}").toJson()).contains("-32600");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            assertThat(agent.asked("5", "tools/list", "{}").toJson()).contains("files__read");
            assertThat(agent.asked("6", "initialize", "{'protocolVersion':'2025-06-18'}")
                            .toJson())
                    .contains("-32600");
            files.silence();
        }
    }

    /** W9: it is mandatory, and was answered with method not found. */
    @Test
    void pingIsAnsweredHereOnBothSides() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("7", "ping", "{}").toJson()).contains("\"id\":7,\"result\":{}");
            files.say("{'jsonrpc':'2.0','id':'a','method':'ping'}");

            assertThat(files.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
            agent.silence();
        }
    }

    @Test
    void initializeIsNotDelayedBeyondWhatClientsBearAndListsWaitForTheSlowest() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web");
            TestPeer agent = room.agent();
            agent.ask("0", "initialize", "{'protocolVersion':'2025-06-18','capabilities':{}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            agent.ask("1", "tools/list", "{}");
            agent.silence();
            assertThat(agent.asked("2", "ping", "{}").toJson()).contains("\"result\":{}");

            room.pass(750);
            assertThat(agent.next().toJson()).contains("\"id\":0,\"result\"").contains("\"tools\"");
            agent.silence();
            web.tools("get");

            assertThat(agent.next().toJson()).contains("files__read").contains("web__get");
            files.silence();
        }
    }

    @Test
    void aSilentUpstreamIsWaitedForAsLongAsItMayTakeToStart() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            TestPeer web = room.upstream("web");
            TestPeer agent = room.agent();
            agent.ask("0", "initialize", "{'protocolVersion':'2025-06-18','capabilities':{}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            agent.ask("1", "tools/list", "{}");
            room.pass(750);
            agent.next();

            room.pass(29_249);
            agent.silence();
            assertThat(web.isHungUp()).isFalse();
            room.pass(1);

            assertThat(agent.next().toJson()).contains("files__read").doesNotContain("web__");
            assertThat(web.isHungUp()).isTrue();
            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .startsWith("web 500 did not answer initialize within 30000 ms");
        }
    }

    @Test
    void aHeldRequestCanBeCancelled() {
        try (Room room = new Room()) {
            TestPeer web = room.upstream("web");
            TestPeer agent = room.agent();
            agent.ask("0", "initialize", "{'protocolVersion':'2025-06-18','capabilities':{}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            agent.ask("1", "tools/list", "{}");
            agent.say(
                    "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
            agent.say(
                    "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':0}}");

            web.tools("get");

            assertThat(agent.next().toJson()).contains("\"id\":0,\"result\"");
            agent.silence();
        }
    }

    /** W19: instructions were dropped. They go to a model, so they are pinned. */
    @Test
    void instructionsOfUpstreamsThatAreSeenArePassedOnWithTheirNames() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files");
            files.answer(
                    files.expect("initialize"),
                    "{'protocolVersion':'2025-11-25','capabilities':{'"
                            + "tools':{}},'instructions':'be \\u0022kind\\u0022'}");
            files.expect("notifications/initialized");
            files.list("tools/list", TestPeer.toolList("read"));

            JsonValue answer = room.agent().greet("2025-06-18", "{}");

            JsonValue told =
                    answer.member("result").orElseThrow().member("instructions").orElseThrow();
            assertThat(told.string()).isEqualTo("From files:\nbe \"kind\"");
        }
    }

    @Test
    void agentsAreAtMostSoManyAndHaveIdsOfTheirOwn() {
        Room.Plan plan = new Room.Plan();
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer first = room.agent().greeted();
            TestPeer second = room.agent().greeted();
            first.ask("1", "tools/call", "{'name':'files__read','arguments':{'who':1}}");
            second.ask("1", "tools/call", "{'name':'files__read','arguments':{'who':2}}");
            JsonValue one = files.expect("tools/call");
            JsonValue two = files.expect("tools/call");

            files.answer(
                    two,
                    "{'content':[],'for':"
                            + two.member("params")
                                    .orElseThrow()
                                    .member("arguments")
                                    .orElseThrow()
                                    .member("who")
                                    .orElseThrow()
                            + "}");
            files.answer(one, "{'content':[],'for':1}");

            assertThat(first.next().toJson()).contains("\"for\":1");
            assertThat(second.next().toJson()).contains("\"for\":2");
            assertThat(TestPeer.id(one)).isNotEqualTo(TestPeer.id(two));
            for (int i = 2; i < 8; i++) {
                room.agent().greeted();
            }
            TestPeer ninth = room.agent();
            assertThat(ninth.isHungUp()).isTrue();
            assertThat(room.gateway.agents()).isEqualTo(8);
        }
    }

    @Test
    void anAgentThatSaysNoMoreGetsItsAnswersAndThenItIsOver() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            agent.endWriting();
            JsonValue call = files.expect("tools/call");
            assertThat(room.gateway.agents()).isEqualTo(1);

            files.answer(call, "{'content':[]}");

            assertThat(agent.next().toJson()).contains("\"id\":1");
            assertThat(agent.isHungUp()).isTrue();
            assertThat(room.ended).containsExactly("agent 1 it closed its output");
        }
    }

    @Test
    void whatAGoneAgentHadUnderWayIsCancelled() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");

            agent.close();
            room.turns();

            assertThat(files.expect("notifications/cancelled").toJson())
                    .contains("\"requestId\":" + TestPeer.id(call));
            assertThat(room.gateway.agents()).isZero();
            files.answer(call, "{'content':[]}");
            files.silence();
        }
    }
}
