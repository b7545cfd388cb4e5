package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** What outsiders can make Glove say and record: one by one while it is little, then gathered. */
@Tag("process")
final class ToldTest {
    private static final String LONG = "x".repeat(80);

    private static String tools(String prefix, int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = prefix + i + LONG;
        }
        return TestPeer.toolList(names);
    }

    private static TestPeer changed(Room room, TestPeer files, String list) {
        room.pass(1000);
        files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
        return files.list("tools/list", list);
    }

    @Test
    void renamedToolsAreToldOneByOneUpToAHundredAndThenOnceASecond() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{'listChanged':true}}");
            files.list("tools/list", tools("a", 150));
            assertThat(room.reports).hasSizeBetween(100, 102);

            for (int i = 0; i < 10; i++) {
                changed(room, files, tools("b" + i + "_", 150));
            }
            room.pass(1000);

            assertThat(room.reports).hasSizeBetween(103, 115);
            assertThat(room.reports).last().asString().contains("more reports; the last is");
        }
    }

    @Test
    void withheldDefinitionsAreRecordedOneByOneUpToAHundredAndThenTheirNumber() {
        Room.Plan plan = new Room.Plan();
        plan.isPinRequired = true;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'tools':{'listChanged':true}}");
            files.list("tools/list", tools("a", 150));
            for (int i = 0; i < 10; i++) {
                changed(room, files, tools("b" + i + "_", 150));
            }
            room.pass(1000);

            assertThat(room.events(Kind.WITHHELD)).hasSize(100);
            assertThat(room.reports).hasSizeBetween(100, 115);
            int gathered = 0;
            for (GatewayEvent event : room.events(Kind.REFUSED)) {
                gathered += event.times();
            }
            assertThat(gathered).isEqualTo(50 + 10 * 150);
            assertThat(room.events(Kind.REFUSED)).hasSizeLessThan(13);
        }
    }

    @Test
    void whatAnUpstreamIsRefusedIsRecordedEachUpToAHundredOfARun() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            for (int i = 0; i < 20; i++) {
                room.pass(1000);
                for (int j = 0; j < 50; j++) {
                    files.say("{'jsonrpc':'2.0','method':'notifications/n" + i + "_" + j + "'}");
                }
            }
            room.pass(1000);

            assertThat(room.events(Kind.REFUSED)).hasSizeBetween(101, 125);
            int all = 0;
            for (GatewayEvent event : room.events(Kind.REFUSED)) {
                all += event.times();
            }
            assertThat(all).isEqualTo(1000);
        }
    }

    @Test
    void aListThatIsRefusedAgainAndAgainIsToldOnce() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            for (int i = 0; i < 5; i++) {
                changed(room, files, "{'tools':[{'noname':1}]}");
            }

            assertThat(room.reportsBut("pinned at first use")).hasSize(1);
        }
    }

    @Test
    void aLongUriIsNoNameForModels() {
        Room.Plan plan = new Room.Plan();
        plan.resources = List.of(new ResourceRule("files", ""));
        try (Room room = new Room(plan)) {
            room.upstream("files")
                    .welcome("{'resources':{}}")
                    .list("resources/list", "{'resources':[{'uri':'x://" + LONG + "'}]}")
                    .list("resources/templates/list", "{'resourceTemplates':[]}");

            assertThat(room.agent().greeted().asked("1", "resources/list", "{}").toJson())
                    .contains(LONG);
            assertThat(room.reports).isEmpty();
        }
    }

    @Test
    void subscriptionsAreBoundedInCharacters() {
        Room.Plan plan = new Room.Plan();
        plan.resources = List.of(new ResourceRule("files", "x://h/"));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files")
                    .welcome("{'resources':{'subscribe':true}}")
                    .list("resources/list", "{'resources':[]}")
                    .list("resources/templates/list", "{'resourceTemplates':[]}");
            TestPeer agent = room.agent().greeted();
            for (int i = 0; i < 32; i++) {
                agent.ask("" + i, "resources/subscribe", uri(i));
                files.answer(files.expect("resources/subscribe"), "{}");
                assertThat(agent.next().toJson()).contains("\"result\"");
            }

            assertThat(agent.asked("99", "resources/subscribe", uri(99)).toJson())
                    .contains("too many subscriptions");
        }
    }

    private static String uri(int i) {
        return "{'uri':'x://h/" + i + "y".repeat(8180) + "'}";
    }
}
