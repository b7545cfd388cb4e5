package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Linux;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Upstreams that crash, are started again, or are given up: the others go on. */
@Tag("process")
final class FailureTest {
    private static final String CALL = "{'name':'files__read'}";

    /** Bugs 5, 12 and 16; W7: the session ended, or hung for ever. */
    @Test
    void aCrashAnswersWhatWasUnderWayAndTheOthersGoOn() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            agent.ask("2", "tools/call", CALL);
            agent.ask("3", "tools/call", "{'name':'web__get'}");

            files.close();
            room.turns();

            assertThat(agent.next().toJson())
                    .contains("\"id\":1,\"error\":{\"code\":-31003")
                    .contains("upstream files ended");
            assertThat(agent.next().toJson()).contains("\"id\":2,\"error\":{\"code\":-31003");
            web.answer(web.expect("tools/call"), "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"id\":3,\"result\"");
            assertThat(room.ended).singleElement().asString().startsWith("files 500 it is gone");
            assertThat(agent.asked("4", "tools/list", "{}").toJson()).contains("files__read");
            assertThat(agent.asked("5", "tools/call", CALL).toJson())
                    .contains("-31003")
                    .contains("is not running");
        }
    }

    @Test
    void anotherRunServesAndIsNeverSentWhatTheLastOneLost() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            files.close();
            room.turns();
            agent.next();

            TestPeer again = room.connect("files").tools("read");

            again.silence();
            agent.silence();
            agent.ask("1", "tools/call", CALL);
            again.answer(again.expect("tools/call"), "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"id\":1,\"result\"");
        }
    }

    @Test
    void itIsStartedAgainEverMoreSlowlyAndInTheEndNoMore() {
        try (Room room = new Room()) {
            room.gateway.addUpstream(UpstreamSpec.of("files", "k"));
            for (int i = 0; i < 9; i++) {
                room.gateway.failed("files", "no such program");
            }

            assertThat(room.ended)
                    .extracting(line -> line.split(" ")[1])
                    .containsExactly(
                            "500", "1000", "2000", "4000", "8000", "16000", "32000", "60000", "-1");
            assertThatThrownBy(() -> room.gateway.connect("files", room.channel()))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aRunThatWasOfUseBeginsTheWaitingAnew() {
        try (Room room = new Room()) {
            room.upstream("files").close();
            room.turns();
            TestPeer second = room.connect("files").tools("read");
            room.pass(60_000);
            second.close();
            room.turns();

            assertThat(room.ended)
                    .extracting(line -> line.split(" ")[1])
                    .containsExactly("500", "500");
        }
    }

    @Test
    void toolsOfAnUpstreamThatIsGivenUpAreGoneAndTheAgentIsTold() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            files.close();
            room.turns();
            for (int i = 0; i < 8; i++) {
                room.gateway.failed("files", "no");
            }
            room.turns();

            agent.expect("notifications/tools/list_changed");
            assertThat(agent.asked("1", "tools/list", "{}").toJson())
                    .contains("web__get")
                    .doesNotContain("files__");
        }
    }

    @Test
    void everyDescriptorIsClosedHoweverItEnds() {
        glove.sys.FdLeaks.watch();
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            room.agent().greeted().ask("1", "tools/call", CALL);
            room.agent().close();
            files.close();
            room.turns();
            room.connect("files").tools("read");
            room.connectWithDiagnostics("web");
        }
        glove.sys.FdLeaks.assertNone();
        assertThat(Linux.host()).isNotNull();
    }

    @Test
    void aProgramBehindPipesIsServedAndSeenToEndAtEitherOfThem() {
        for (boolean reading : new boolean[] {true, false}) {
            try (Room room = new Room()) {
                TestPeer files = room.upstreamOfPipes("files").tools("read");
                TestPeer agent = room.agent().greeted();
                agent.ask(
                        "1",
                        "tools/call",
                        "{'name':'files__read" + "','arguments':{'x':'" + "x".repeat(200_000)
                                + "'}}");
                JsonValue call = files.next();
                files.answer(call, "{'content':'" + "y".repeat(200_000) + "'}");
                assertThat(agent.line()).hasSizeGreaterThan(200_000);
                agent.ask("2", "tools/call", CALL);
                files.next();

                if (reading) {
                    files.endReading();
                } else {
                    files.close();
                    room.turns();
                }

                assertThat(agent.next().toJson()).contains("\"id\":2,\"error\":{\"code\":-31003");
                assertThat(room.ended).singleElement().asString().startsWith("files 500 ");
            }
        }
    }

    @Test
    void whatAProgramSaidBeforeItEndedIsTakenFirst() {
        try (Room room = new Room()) {
            TestPeer files = room.upstreamOfPipes("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            agent.ask("2", "tools/call", CALL);
            JsonValue call = files.expect("tools/call");
            files.tell("{'jsonrpc':'2.0','id':" + TestPeer.id(call) + ",'result':{'last':1}}");
            files.close();
            room.turns();

            assertThat(agent.next().toJson()).contains("\"id\":1,\"result\":{\"last\":1}");
            assertThat(agent.next().toJson())
                    .contains("\"id\":2,\"error\"")
                    .contains("it closed its output");
        }
    }
}
