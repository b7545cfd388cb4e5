package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What peers can make the gateway hold: whoever sends too much loses it, and nobody else. */
@Tag("process")
final class HeapSharesTest {
    private static final HeapShares SMALL = new HeapShares(1 << 20, 256 << 10, 1 << 20);

    private static Room small() {
        Room.Plan plan = new Room.Plan();
        plan.limits.shares = SMALL;
        return new Room(plan);
    }

    private static String tool(String name, int bytes) {
        return "{'name':'" + name + "','description':'" + "x".repeat(bytes) + "'}";
    }

    /** Everything at its bound at once leaves room for one message, copied several times. */
    @Test
    void theSharesLeaveAThirdOfTheHeapForTheMessageThatIsLookedAt() {
        for (long heap : new long[] {128 << 20, 384 << 20, 1L << 40}) {
            HeapShares shares = HeapShares.of(heap);
            long hoards = 8L * GatewayLimits.hoardBytes(heap);

            long all = shares.lines() + shares.queues() + hoards + shares.lists();

            assertThat(all).isLessThanOrEqualTo(heap / 3 * 2);
        }
    }

    @Test
    void theShareOfOneUpstreamIsSmallerTheMoreThereAre() {
        HeapShares shares = HeapShares.of(384 << 20);

        assertThat(shares.listsOf(1)).isEqualTo(2 << 20);
        assertThat(8 * shares.listsOf(8)).isEqualTo(shares.lists());
        assertThat(shares.listsOf(1_000_000)).isEqualTo(64 << 10);
    }

    @Test
    void anUpstreamThatOffersTooManyBytesLosesThatListAndTheOthersServe() {
        try (Room room = small()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            TestPeer web = room.upstream("web").tools("get");
            for (int page = 0; page < 2; page++) {
                files.list(
                        "tools/list",
                        "{'tools':[" + tool("t" + page, 100_000) + "],'nextCursor':'" + page
                                + "'}");
            }

            files.silence();
            String tools = room.agent().greeted().asked("1", "tools/list", "{}").toJson();
            assertThat(tools).contains("web__get").doesNotContain("files__");
            assertThat(room.reportsBut("pinned at first use"))
                    .singleElement()
                    .asString()
                    .contains("files: ")
                    .contains("131072 bytes")
                    .contains("make it offer less");
            assertThat(web.poll()).as("looked at again after a while only").isEmpty();
        }
    }

    @Test
    void allListsOfAnUpstreamCountTogether() {
        Room.Plan plan = new Room.Plan();
        plan.limits.shares = SMALL;
        plan.prompts = List.of(new PromptRule("files", ""));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'tools':{},'prompts':{}}");
            JsonValue tools = files.expect("tools/list");
            JsonValue prompts = files.expect("prompts/list");
            files.answer(prompts, "{'prompts':[" + tool("p", 150_000) + "]}");
            files.answer(tools, "{'tools':[" + tool("t", 150_000) + "]}");
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("1", "prompts/list", "{}").toJson()).contains("files__p");
            assertThat(agent.asked("2", "tools/list", "{}").toJson()).doesNotContain("files__t");
        }
    }

    @Test
    void anUpstreamThatOffersTooManyValuesLosesThatList() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            files.list("tools/list", "{'tools':[{'name':'t','x':[" + "0,".repeat(70_000) + "0]}]}");

            assertThat(room.agent().greeted().asked("1", "tools/list", "{}").toJson())
                    .doesNotContain("files__t");
            assertThat(room.reports).anyMatch(said -> said.contains("65536 JSON values"));
        }
    }

    @Test
    void aListThatHasGrownTooLargeIsReadAgainWhenItIsSmaller() {
        try (Room room = small()) {
            TestPeer files = room.upstream("files").tools("read");
            room.pass(1000);
            String changed = "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}";
            files.say(changed);
            files.list("tools/list", "{'tools':[" + tool("big", 300_000) + "]}");
            TestPeer agent = room.agent().greeted();
            assertThat(agent.asked("1", "tools/list", "{}").toJson()).doesNotContain("files__");
            room.pass(1000);
            files.say(changed);
            files.list("tools/list", TestPeer.toolList("read"));

            agent.expect("notifications/tools/list_changed");
            assertThat(agent.asked("2", "tools/list", "{}").toJson()).contains("files__read");
        }
    }

    @Test
    void whoHoldsTheMostOfLinesWithoutEndIsEndedWhenAllAreTooMuch() {
        try (Room room = small()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'web__get'}");
            String answer = "{'jsonrpc':'2.0','id':" + TestPeer.id(web.expect("tools/call"))
                    + ",'result':{'x':'";

            files.sayBytes("y".repeat(900_000).getBytes(StandardCharsets.UTF_8));
            assertThat(room.ended).isEmpty();
            web.sayBytes(
                    (TestPeer.json(answer) + "z".repeat(300_000)).getBytes(StandardCharsets.UTF_8));

            assertThat(room.ended)
                    .singleElement()
                    .asString()
                    .startsWith("files ")
                    .contains("the most of all");
            web.say("'}}");
            assertThat(agent.line()).contains("zzz");
        }
    }

    @Test
    void whatUpstreamsDoNotReadIsBoundedForAllTogether() {
        Room.Plan plan = new Room.Plan();
        plan.limits.shares = SMALL;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = room.agent().greeted();
            String large = "','arguments':{'x':'" + "y".repeat(900_000) + "'}}";

            agent.ask("1", "tools/call", "{'name':'files__read" + large);
            agent.ask("2", "tools/call", "{'name':'web__get" + large);

            assertThat(agent.next().toJson())
                    .contains("\"id\":2,\"error\":{\"code\":-31001")
                    .contains("too much waits");
            agent.ask("3", "tools/call", "{'name':'web__get'}");
            web.answer(web.expect("tools/call"), "{}");
            assertThat(agent.next().toJson()).contains("\"id\":3,\"result\"");
            files.answer(files.expect("tools/call"), "{}");
            assertThat(agent.next().toJson()).contains("\"id\":1,\"result\"");
        }
    }

    @Test
    void anInitializeIsNotKeptWhenItIsLarge() {
        try (Room room = new Room()) {
            room.upstream("files").expect("initialize");

            assertThat(room.agent()
                            .asked(
                                    "1",
                                    "initialize",
                                    "{'protocolVersion':'2025-11-25','x':'" + "y".repeat(1 << 20)
                                            + "'}")
                            .toJson())
                    .contains("initialize is too large");
        }
    }
}
