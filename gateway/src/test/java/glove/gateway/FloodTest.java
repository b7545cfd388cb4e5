package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Peers that say too much, or do not read: they cost themselves and nobody else. */
@Tag("process")
final class FloodTest {
    private static final String CALL = "{'name':'files__read'}";

    @Test
    void aLineThatIsTooLongEndsTheRunOfTheUpstream() {
        Room.Plan plan = new Room.Plan();
        plan.limits.frameBytes = 1000;
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
        plan.limits.agentHoardBytes = 64 << 20;
        plan.limits.upstreamFrames = 4;
        plan.limits.upstreamQueueBytes = 1 << 20;
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
        plan.limits.agentQueueBytes = 100_000;
        plan.limits.agentHoardBytes = 64 << 20;
        plan.limits.upstreamQueueBytes = 1 << 20;
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
        plan.limits.agentHoardBytes = 2 << 20;
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
    void requestsThatWereHeldAreAnsweredNoFasterThanTheAgentReads() {
        Room.Plan plan = new Room.Plan();
        plan.limits.agentQueueBytes = 300_000;
        plan.limits.agentHoardBytes = 64 << 20;
        plan.limits.upstreamQueueBytes = 1 << 20;
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
}
