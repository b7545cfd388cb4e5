package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Peers that are silent, lie, or say what is no message: they harm themselves alone. */
@Tag("process")
final class NonsenseTest {
    private static final String CALL = "{'name':'files__read'}";

    /** W11. */
    @Test
    void aCallIsGivenUpAfterSilenceAndProgressProlongsItButNotForEver() {
        Room.Plan plan = new Room.Plan();
        plan.limits.firstMillis = 1000;
        plan.limits.idleMillis = 500;
        plan.limits.hardMillis = 2000;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            JsonValue silent = files.expect("tools/call");
            room.pass(999);
            agent.silence();
            room.pass(1);
            assertThat(agent.next().toJson())
                    .contains("\"id\":1,\"error\":{\"code\":-31002")
                    .contains("files did not answer");
            assertThat(files.expect("notifications/cancelled").toJson())
                    .contains(":" + TestPeer.id(silent) + ",");
            agent.ask("2", "tools/call", CALL);
            JsonValue busy = files.expect("tools/call");
            for (int i = 0; i < 4; i++) {
                room.pass(499);
                files.say(
                        "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':"
                                + TestPeer.id(busy) + ",'progress':" + i + "}}");
            }
            agent.silence();

            room.pass(4);

            assertThat(agent.next().toJson()).contains("\"id\":2,\"error\":{\"code\":-31002");
            files.answer(busy, "{}");
            agent.silence();
        }
    }

    /** W1: an answer satisfied whichever request came next. */
    @Test
    void answersToNothingAndSecondAnswersReachNobody() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            JsonValue call = files.expect("tools/call");
            for (String id : List.of(
                    "0",
                    "-1",
                    "999",
                    "'" + TestPeer.id(call) + "'",
                    TestPeer.id(call) + "0",
                    "'x'")) {
                files.say("{'jsonrpc':'2.0','id':" + id + ",'result':{'wrong':1}}");
            }
            agent.silence();

            files.answer(call, "{'right':1}");
            files.answer(call, "{'wrong':2}");

            assertThat(agent.all())
                    .containsExactly("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"right\":1}}");
            assertThat(room.events(Kind.REFUSED).stream()
                            .mapToInt(GatewayEvent::times)
                            .sum())
                    .isEqualTo(7);
        }
    }

    /** Bug 8: programs print to their standard output. */
    @Test
    void linesThatAreNoMessagesAreIgnoredReportedOnceAndTooManyEndTheRun() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files");
            files.say("Server \u001b[31mrunning on stdio");
            files.say("");
            files.say("[{'jsonrpc':'2.0'}]");
            files.tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            files.answer(files.expect("tools/call"), "{}");
            agent.next();
            assertThat(room.reportsBut("pinned at first use"))
                    .singleElement()
                    .asString()
                    .contains("'Server ?[31mrunning on stdio'");

            files.say("noise\n".repeat(257));

            assertThat(files.isHungUp()).isTrue();
            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .contains("lines in a row that are no messages");
            agent.silence();
        }
    }

    @Test
    void aListThatCannotBeReadLeavesTheOneBefore() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            room.pass(1000);
            files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            files.fail(files.expect("tools/list"), -1, "no");

            assertThat(agent.asked("1", "tools/list", "{}").toJson()).contains("files__read");
            assertThat(room.reportsBut("pinned at first use"))
                    .singleElement()
                    .asString()
                    .contains("tools/list failed");
        }
    }

    @Test
    void anAgentThatSendsNoMessagesIsToldWhyAndThenItIsOver() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (int i = 0; i < 16; i++) {
                agent.say("x");
            }

            assertThat(agent.all())
                    .hasSize(16)
                    .allMatch(line -> line.contains("\"id\":null,\"error\":{\"code\":-32700"));
            assertThat(agent.isHungUp()).isTrue();
            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .contains("16 frames that are no messages");
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsNotWaitedForWhereItIsClearWhoseItIs() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            JsonValue first = files.expect("tools/call");
            agent.ask("2", "tools/call", CALL);
            JsonValue second = files.expect("tools/call");
            String broken = "{'jsonrpc':'2.0','id':%s,'result':{'a':1,'a':2}}";
            files.say(broken.replace("%s", TestPeer.id(first)));
            agent.silence();
            files.answer(second, "{}");
            agent.next();

            files.say("{'level':'info'");
            agent.silence();
            files.say(broken.replace("%s", TestPeer.id(first)));

            assertThat(agent.next().toJson())
                    .contains("\"id\":1,\"error\":{\"code\":-32603")
                    .contains("cannot be read");
            files.answer(first, "{}");
            agent.silence();
        }
    }
}
