package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.gateway.GatewayEvent.Kind;
import glove.sys.Linux;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Peers that stall, crash, flood or lie: they cost themselves and nobody else. */
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

    /** W11. */
    @Test
    void aCallIsGivenUpAfterSilenceAndProgressProlongsItButNotForEver() {
        Room.Plan plan = new Room.Plan();
        plan.limits =
                plan.limits.withTimes(GatewayLimits.Times.standard().withRequests(1000, 500, 2000));
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
    void aLineThatIsTooLongEndsTheRunOfTheUpstream() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withFrameBytes(1000);
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            files.answer(files.expect("tools/call"), "{'content':'" + "x".repeat(1000) + "'}");

            assertThat(agent.next().toJson())
                    .contains("-31003")
                    .contains("a line of more than 1000 bytes");
        }
    }

    @Test
    void anUpstreamThatDoesNotReadBlocksOnlyItsOwnCalls() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withQueues(4 << 20, 64 << 20, 4, 1 << 20);
        try (Room room = new Room(plan)) {
            room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            String large = "{'name':'files__read','arguments':{'x':'" + "x".repeat(300_000) + "'}}";
            for (int i = 0; i < 8; i++) {
                agent.ask("" + i, "tools/call", large);
            }

            List<String> answers = agent.all();
            assertThat(answers)
                    .isNotEmpty()
                    .allMatch(line -> line.contains("-31001") && line.contains("does not read"));
            agent.ask("100", "tools/call", "{'name':'web__get'}");
            web.answer(web.expect("tools/call"), "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"id\":100,\"result\"");
            assertThat(agent.asked("101", "ping", "{}").toJson()).contains("\"result\":{}");
        }
    }

    @Test
    void anAgentThatFloodsAndDoesNotReadIsReadNoFurther() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withQueues(100_000, 64 << 20, 64, 1 << 20);
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            TestPeer other = room.agent().greeted();
            byte[] flood = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n"
                    .repeat(200_000)
                    .getBytes(StandardCharsets.UTF_8);

            int taken = agent.sayWhatIsTaken(flood);

            assertThat(taken).isLessThan(2_000_000);
            assertThat(room.gateway.waitingBytes()).isLessThan(1_000_000);
            assertThat(other.asked("1", "tools/list", "{}").toJson()).contains("files__read");
            files.silence();
            assertThat(agent.all()).hasSizeGreaterThan(1000);
            assertThat(agent.sayWhatIsTaken(flood)).isGreaterThan(100_000);
        }
    }

    @Test
    void resultsAreNotHoardedForAnAgentThatDoesNotReadThem() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withQueues(4 << 20, 2 << 20, 64, 32 << 20);
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (int i = 0; i < 8; i++) {
                agent.ask("" + i, "tools/call", CALL);
            }
            for (int i = 0; i < 8; i++) {
                files.answer(
                        files.expect("tools/call"), "{'content':'" + "x".repeat(900_000) + "'}");
            }

            assertThat(room.gateway.waitingBytes()).isLessThan(3_000_000);
            List<String> lines = new java.util.ArrayList<>(agent.all());
            while (lines.size() < 8) {
                lines.add(agent.line());
            }
            assertThat(lines).filteredOn(line -> line.contains("-31004")).isNotEmpty();
            assertThat(lines).filteredOn(line -> line.contains("xxx")).isNotEmpty();
        }
    }

    @Test
    void anUpstreamThatFloodsNotificationsIsBoundedAndReportedOnce() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files")
                    .welcome("{'tools':{},'logging':{}}")
                    .list("tools/list", TestPeer.toolList("read"));
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':1}}\n"
                            .repeat(5000));

            agent.ask("1", "tools/call", "{'name':'web__get'}");
            web.answer(web.expect("tools/call"), "{}");

            List<String> lines = agent.all();
            assertThat(lines).hasSize(201).last().asString().contains("\"id\":1");
            assertThat(room.reportsBut("pinned at first use"))
                    .singleElement()
                    .asString()
                    .contains("more than 100 notifications a second");
            room.pass(1000);
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':2}}");
            assertThat(agent.next().toJson()).contains("\"data\":2");
        }
    }

    @Test
    void anUpstreamThatTellsChangesForEverIsReadOnceInAWhile() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            room.agent().greeted();
            room.pass(1000);
            for (int i = 0; i < 10; i++) {
                files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}\n"
                        .repeat(50));
            }
            files.list("tools/list", TestPeer.toolList("read"));
            files.silence();
            room.pass(999);
            files.silence();
            room.pass(1);

            files.expect("tools/list");
            files.silence();
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
    void whatAnUpstreamWritesToItsStandardErrorIsBoundedNamedAndHarmless() {
        try (Room room = new Room()) {
            TestPeer said = room.connectWithDiagnostics("files");
            said.sayBytes(("one \u001b[2J two\n\n" + "x".repeat(3000) + "\nthree")
                    .getBytes(StandardCharsets.UTF_8));
            assertThat(room.diagnostics).hasSize(2);
            assertThat(room.diagnostics.get(0)).isEqualTo("files: one ?[2J two");
            assertThat(room.diagnostics.get(1)).isEqualTo("files: " + "x".repeat(1024) + "...");

            said.sayBytes("\nnoise".repeat(5000).getBytes(StandardCharsets.UTF_8));

            assertThat(room.diagnostics).hasSizeLessThan(110);
            room.pass(1000);
            said.sayBytes("\nlast\n".getBytes(StandardCharsets.UTF_8));
            assertThat(room.diagnostics).last().asString().isEqualTo("files: last");
            assertThat(room.diagnostics).anyMatch(line -> line.contains("lines left out)"));
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

    @Test
    void anAgentCannotFillTheRecordWithDenials() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (int i = 0; i < 1000; i++) {
                agent.ask("1", "tools/call", "{'name':'none" + i + "'}");
                agent.next();
            }
            assertThat(room.events(Kind.DENIED)).hasSizeLessThan(202);
            room.pass(1000);
            agent.ask("1", "tools/call", "{'name':'last'}");

            int gathered = 0;
            for (GatewayEvent event : room.events(Kind.REFUSED)) {
                gathered += event.times();
            }
            assertThat(room.events(Kind.REFUSED)).hasSizeLessThan(4);
            assertThat(gathered).isEqualTo(1000 - room.events(Kind.DENIED).size() + 1);
        }
    }

    @Test
    void theOwnerCanSeeHowUpstreamsAre() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("files.read");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read", "drop");
            room.gateway.addUpstream(UpstreamSpec.of("web", "k"));
            room.gateway.failed("web", "no");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", CALL);
            files.say("x");
            files.say("{'jsonrpc':'2.0','id':77,'result':{}}");

            assertThat(room.gateway.upstreams())
                    .containsExactly(
                            new UpstreamStatus(
                                    "files",
                                    "2025-11-25",
                                    1,
                                    1,
                                    1,
                                    new UpstreamStatus.Ignored(1, 0, 0, 1, 0)),
                            new UpstreamStatus(
                                    "web", "", 0, 0, 0, new UpstreamStatus.Ignored(0, 0, 0, 0, 0)));
        }
    }

    @Test
    void requestsThatWereHeldAreAnsweredNoFasterThanTheAgentReads() {
        Room.Plan plan = new Room.Plan();
        plan.limits = plan.limits.withQueues(300_000, 64 << 20, 64, 1 << 20);
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files");
            TestPeer agent = room.agent();
            agent.ask("0", "initialize", "{'protocolVersion':'2025-11-25','capabilities':{}}");
            agent.say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            for (int i = 1; i <= 100; i++) {
                agent.ask("" + i, "tools/list", "{}");
            }
            files.welcome("{'tools':{'listChanged':true}}");
            files.list(
                    "tools/list",
                    "{'tools':[{'name':'read','description':'" + "x".repeat(100_000) + "'}]}");

            assertThat(room.gateway.waitingBytes()).isLessThan(500_000);
            for (int i = 0; i <= 100; i++) {
                assertThat(TestPeer.id(agent.next())).isEqualTo("" + i);
            }
            agent.silence();
        }
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
