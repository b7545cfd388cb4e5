package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.gateway.GatewayEvent.Kind;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is recorded, and that it is before anything leaves (W27, W28, W30). */
@Tag("process")
final class RecordsTest {
    private static final String CALL = "{'name':'files__read','arguments':{'x':1.0}}";

    @Test
    void aCallIsRecordedBeforeTheUpstreamSeesItAndItsOutcomeBeforeTheAgentDoes() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            List<Optional<byte[]>> leaked = new ArrayList<>();
            room.onRecord = () -> {
                leaked.add(files.peek());
                leaked.add(agent.peek());
            };

            agent.ask("1", "tools/call", CALL);
            JsonValue call = files.expect("tools/call");
            room.pass(7);
            files.answer(call, "{'content':[]}");
            agent.next();

            assertThat(leaked).hasSize(4).allMatch(Optional::isEmpty);
            GatewayEvent called = room.events(Kind.CALLED).getFirst();
            assertThat(called.subject())
                    .isEqualTo(new GatewayEvent.Subject("tools/call", "files", "read"));
            assertThat(called.agent()).isEqualTo(1);
            assertThat(called.rule()).isEqualTo("allow files.read");
            assertThat(called.payload().digest()).isEqualTo(Digests.hex("{\"x\":1.0}"));
            assertThat(called.payload().arguments()).isEmpty();
            GatewayEvent answered = room.events(Kind.ANSWERED).getFirst();
            assertThat(answered.call()).isEqualTo(called.call());
            assertThat(answered.payload().nanos()).isEqualTo(7_000_000);
            assertThat(answered.payload().bytesIn()).isPositive();
        }
    }

    @Test
    void argumentsAreRecordedWhenThatIsAsked() {
        Room.Plan plan = new Room.Plan();
        plan.recordsArguments = true;
        try (Room room = new Room(plan)) {
            room.upstream("files").tools("read");
            room.agent().greeted().ask("1", "tools/call", CALL);

            assertThat(room.events(Kind.CALLED).getFirst().payload().arguments())
                    .isEqualTo("{\"x\":1.0}");
        }
    }

    @Test
    void whatCannotBeRecordedDoesNotHappenAndEverythingEnds() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            room.isJournalBroken = true;

            agent.ask("1", "tools/call", CALL);
            assertThatThrownBy(room.gateway::turn).isInstanceOf(GatewayAuditException.class);

            assertThat(files.isHungUp()).isTrue();
            assertThat(agent.isHungUp()).isTrue();
            assertThat(room.gateway.patience()).isEqualTo(Gateway.UNLIMITED);
        }
    }

    @Test
    void whatArrivesTogetherIsRecordedByOneCall() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            int before = room.batches.size();
            String calls = "";
            for (int i = 1; i <= 16; i++) {
                calls += "{\"jsonrpc\":\"2.0\",\"id\":" + i
                        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"files__read\"}}\n";
            }

            agent.sayBytes(calls.getBytes(StandardCharsets.UTF_8));

            assertThat(room.batches.subList(before, room.batches.size())).containsExactly(16);
            assertThat(files.all()).hasSize(16);
        }
    }

    @Test
    void equalRefusalsOfATurnAreCounted() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.sayBytes(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n"
                            .repeat(30)
                            .getBytes(StandardCharsets.UTF_8));

            assertThat(room.events(Kind.DENIED))
                    .singleElement()
                    .matches(event ->
                            event.times() == 30 && event.subject().name().equals("x"));
            assertThat(agent.all()).hasSize(30);
        }
    }

    @Test
    void everyKindOfEndIsRecorded() throws GatewayAuditException {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.asked("1", "tools/list", "{}");
            agent.say("x");
            agent.next();
            agent.asked("2", "none", "{}");
            agent.ask("3", "tools/call", CALL);
            files.fail(files.expect("tools/call"), -1, "no");
            agent.ask("4", "tools/call", CALL);

            room.gateway.finish();

            assertThat(room.events)
                    .extracting(GatewayEvent::kind)
                    .containsExactly(
                            Kind.UPSTREAM_READY,
                            Kind.PINNED,
                            Kind.INITIALIZED,
                            Kind.LISTED,
                            Kind.REFUSED,
                            Kind.REFUSED,
                            Kind.CALLED,
                            Kind.FAILED,
                            Kind.CALLED,
                            Kind.CANCELLED,
                            Kind.LEFT,
                            Kind.UPSTREAM_ENDED);
        }
    }

    /** Whether the upstream is asked, has been asked for somebody else, or need not be asked. */
    @Test
    void everyRequestOfAnAgentHasALineOfItsOwnWithWhatItAskedFor() {
        Room.Plan plan = new Room.Plan();
        plan.resources = List.of(new ResourceRule("files", "note://"));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files")
                    .welcome("{'resources':{'subscribe':true},'logging':{}}")
                    .list("resources/list", "{'resources':[]}")
                    .list("resources/templates/list", "{'resourceTemplates':[]}");
            TestPeer first = room.agent().greeted();
            TestPeer second = room.agent().greeted();
            String uri = "{'uri':'note://a'}";
            first.ask("1", "resources/subscribe", uri);
            files.answer(files.expect("resources/subscribe"), "{}");
            first.next();
            second.asked("1", "resources/subscribe", uri);
            second.asked("2", "resources/unsubscribe", uri);
            first.asked("2", "logging/setLevel", "{'level':'error'}");
            first.ask("3", "resources/read", uri);

            List<String> lines = new ArrayList<>();
            for (GatewayEvent event : room.events) {
                if (event.kind() == Kind.CALLED || event.kind() == Kind.ANSWERED) {
                    lines.add(event.kind() + " " + event.agent() + " "
                            + event.subject().method() + " " + event.subject().name());
                }
            }
            assertThat(lines)
                    .containsExactly(
                            "CALLED 1 resources/subscribe note://a",
                            "ANSWERED 1 resources/subscribe note://a",
                            "ANSWERED 2 resources/subscribe note://a",
                            "ANSWERED 2 resources/unsubscribe note://a",
                            "ANSWERED 1 logging/setLevel error",
                            "CALLED 1 resources/read note://a");
        }
    }
}
