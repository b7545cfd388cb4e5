package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Tools: listed, called, denied. */
@Tag("process")
final class ToolsTest {
    @Test
    void aListHoldsWhatIsAllowedUnderTheAgentsNamesAndAllElseAsItWasSent() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("files.read.it", "files.Write");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            files.list(
                    "tools/list",
                    "{'tools':[{'name':'read.it','title':'T','description':'d\\u00e9',"
                            + "'inputSchema':{'type':'object','x':1.0},'outputSchema':{'a':1E2},"
                            + "'annotations':{'readOnlyHint':true},'icons':[{'src':'x'}],'_meta':{'v/k':-0.0},"
                            + "'execution':{'taskSupport':'optional','z':1},'unknown':[]},"
                            + "{'name':'hidden'},{'name':'Write'}]}");

            JsonValue tools = room.agent().greeted().asked("1", "tools/list", "{}");

            assertThat(tools.toJson())
                    .isEqualTo(TestPeer.json(
                            "{'jsonrpc':'2.0','id':1,'result':{'tools':[{'name':'files__Write'},"
                                    + "{'name':'files__read_it','title':'T','description':'d\\u00e9',"
                                    + "'inputSchema':{'type':'object','x':1.0},'outputSchema':{'a':1E2},"
                                    + "'annotations':{'readOnlyHint':true},'ic"
                                    + "ons':[{'src':'x'}],'_meta':{'v/k':-0.0},"
                                    + "'unknown':[]}]}}"));
        }
    }

    /** W2, W3, W18; bugs 7 and 13: numbers, content and unknown members were changed or lost. */
    @Test
    void aCallAndItsResultPassByteForByteButForIdNameAndToken() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            String arguments =
                    "{ \"big\":9007199254740993123, \"n\":[-0.0,1.0,1E2,1e400],\"s\":\"\\u00e9\\ud83d\\ude00é\","
                            + " \"path\":\"/data/x\\n\" ,\"o\":{\"\":null}}";
            agent.sayBytes(("{\"params\":{\"arguments\":" + arguments
                            + ",\"_meta\":{\"progressToken\":\"t\",\"traceparent\":\"00-1\",\"v/k\":1},"
                            + "\"name\":\"files__read\"},\"id\":\"a\\u0022\",  "
                            + "\"method\":\"tools/call\",\"jsonrpc\":\"2.0\"}\n")
                    .getBytes(StandardCharsets.UTF_8));

            String call = files.line();
            String id = TestPeer.id(TestPeer.parse(call));
            String result =
                    "{\"content\":[{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"},"
                            + "{\"type\":\"text\",\"text\":\"\\u0000\"},{\"typ"
                            + "e\":\"x\"}],\"structuredContent\":{\"n\":1.10},"
                            + "\"isError\":false,\"_meta\":{\"k\":1E5},\"other\":[ ]}";
            files.say("{ 'result' :" + result.replace('"', '\'') + ", 'id':" + id
                    + ",'jsonrpc':'2.0'}");

            assertThat(call)
                    .isEqualTo("{\"params\":{\"arguments\":" + arguments
                            + ",\"_meta\":{\"progressToken\":" + id
                            + ",\"traceparent\":\"00-1\",\"v/k\":1},"
                            + "\"name\":\"read\"},\"id\":" + id
                            + ",  \"method\":\"tools/call\",\"jsonrpc\":\"2.0\"}");
            assertThat(agent.line())
                    .isEqualTo(
                            "{ \"result\" :" + result + ", \"id\":\"a\\\"\",\"jsonrpc\":\"2.0\"}");
            assertThat(((TestRules) room.policy.tools()).seen)
                    .containsExactly("files.read " + arguments);
        }
    }

    /** W8: string ids were never answered. */
    @Test
    void idsKeepTheirKind() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            List<String> ids = List.of(
                    "1", "'1'", "-5", "123456789012345678901234567890", "''", "'\\ud83d\\ude00'");
            for (String id : ids) {
                agent.ask(id, "tools/call", "{'name':'files__read'}");
            }
            List<JsonValue> calls = new ArrayList<>();
            for (int i = 0; i < ids.size(); i++) {
                calls.add(files.expect("tools/call"));
            }

            calls.forEach(call -> files.answer(call, "{'content':[]}"));

            assertThat(agent.all())
                    .extracting(line ->
                            TestPeer.parse(line).member("id").orElseThrow().toJson())
                    .containsExactly(
                            "1",
                            "\"1\"",
                            "-5",
                            "123456789012345678901234567890",
                            "\"\"",
                            "\"\ud83d\ude00\"");
        }
    }

    @Test
    void aHiddenToolAndOneThatDoesNotExistLookTheSameToTheAgentAndNotToTheOwner() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("files.read");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read", "drop");
            TestPeer agent = room.agent().greeted();

            String hidden = agent.asked("1", "tools/call", "{'name':'files__drop','arguments':{}}")
                    .toJson();
            String absent = agent.asked("1", "tools/call", "{'name':'files__none','arguments':{}}")
                    .toJson();

            assertThat(hidden)
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"
                            + "\"message\":\"Unknown tool: files__drop\"}}");
            assertThat(absent).isEqualTo(hidden.replace("drop", "none"));
            files.silence();
            assertThat(room.events(Kind.DENIED))
                    .extracting(GatewayEvent::reason)
                    .containsExactly("no rule allows it", "there is no such tool");
        }
    }

    @Test
    void deniedArgumentsAreAResultTheModelCanActOn() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            JsonValue denied = agent.asked(
                    "1", "tools/call", "{'name':'files__read','arguments':{'path':'/etc/passwd'}}");

            assertThat(denied.toJson())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
                                    + "\"text\":\"\\\"path\\\" must lie in the permitted direct"
                                    + "ory\"}],\"isError\":true,\"_meta\":{\"glove/denied\":true}}}");
            files.silence();
            GatewayEvent event = room.events(Kind.DENIED).getFirst();
            assertThat(event.rule()).isEqualTo("path under /data");
            assertThat(event.subject())
                    .isEqualTo(new GatewayEvent.Subject("tools/call", "files", "read"));
        }
    }

    /** W4: the text of a tool's own error was replaced by a fixed sentence. */
    @Test
    void errorsOfToolsAndUpstreamsPassAsTheyAre() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            agent.ask("1", "tools/call", "{'name':'files__read'}");
            files.answer(
                    files.expect("tools/call"),
                    "{'content':[{'type':'text','text':'no \\u0022x\\u0022'}],'isError':true}");
            assertThat(agent.next().toJson())
                    .contains("no \\u0022x\\u0022")
                    .contains("\"isError\":true");
            agent.ask("2", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");
            files.say("{'jsonrpc':'2.0','id':" + TestPeer.id(call)
                    + ",'error':{'code':-5,'message':'\\n\\u0022','data':{'x':1.0}}}");

            assertThat(agent.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-"
                            + "5,\"message\":\"\\n\\u0022\",\"data\":{\"x\":1.0}}}");
            assertThat(room.events(Kind.FAILED)).hasSize(2);
        }
    }

    @Test
    void aResultThatIsTooLargeIsReplacedByOneThatSaysSo() {
        Room.Plan plan = new Room.Plan();
        TestRules rules = new TestRules("files.*");
        rules.resultBytesMax = 100;
        plan.tools = rules;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");

            files.answer(files.expect("tools/call"), "{'content':['" + "x".repeat(100) + "']}");

            assertThat(agent.next().toJson())
                    .contains("\"isError\":true")
                    .contains("116 bytes, more than the 100 allowed");
        }
    }

    @Test
    void whatIsNoResultIsNotPassedOnAsOne() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (String result : List.of("null", "[]", "'x'", "1", "true")) {
                agent.ask("1", "tools/call", "{'name':'files__read'}");
                files.answer(files.expect("tools/call"), result);
                assertThat(agent.next().toJson()).contains("-32603");
            }
        }
    }

    @Test
    void paramsNobodyLooksAtAreNotPassedOn() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (String params : List.of(
                    "{'name':'files__read','Name':'drop'}",
                    "{'name':'files__read','Arguments':{}}",
                    "{'name':'files__read','arguments':[]}",
                    "{'name':'files__read','arguments':null}",
                    "{'name':'files__read','arguments':'x'}",
                    "{'name':'files__read','inputResponses':{}}",
                    "{'name':5}",
                    "{'name':'files__read','_meta':{'progressToken':1.5}}",
                    "{'name':'files__read','_meta':{'progressToken':{}}}",
                    "{}")) {
                assertThat(agent.asked("1", "tools/call", params).toJson())
                        .as(params)
                        .contains("-32602");
            }
            assertThat(agent.asked("1", "tools/call", "{'name':'files__read','task':{'ttl':1}}")
                            .toJson())
                    .contains("-32602")
                    .contains("tasks are not mediated");
            files.silence();
        }
    }

    @Test
    void membersOfMetaThatBelongToTheProtocolEndHere() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            agent.ask(
                    "1",
                    "tools/call",
                    "{'name':'files__read','_meta':{'io.modelcontextprotocol/clientCapabilities':{},"
                            + "'a':1,'IO.modelcontextprotocol/x':2,'b':3}}");

            assertThat(files.next().toJson())
                    .contains("\"_meta\":{\"a\":1,\"b\":3}")
                    .doesNotContain("protocol/");
        }
    }

    /** Bug 2: page two was unreachable, or clients looped for ever; W17. */
    @Test
    void allPagesOfAnUpstreamAreReadAndAgentsGetPagesOfTheirOwn() {
        Room.Plan plan = new Room.Plan();
        plan.limits.pageItems = 2;
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            files.list("tools/list", "{'tools':[{'name':'e'},{'name':'b'}],'nextCursor':'p 2'}");
            JsonValue second = files.expect("tools/list");
            assertThat(second.member("params").orElseThrow().toJson())
                    .isEqualTo("{\"cursor\":\"p 2\"}");
            files.answer(second, "{'tools':[{'name':'d'},{'name':'a'},{'name':'c'}]}");
            TestPeer agent = room.agent().greeted();

            List<String> names = new ArrayList<>();
            String params = "{}";
            int pages = 0;
            while (!params.isEmpty()) {
                JsonValue result =
                        agent.asked("1", "tools/list", params).member("result").orElseThrow();
                result.member("tools")
                        .orElseThrow()
                        .children()
                        .forEach(tool ->
                                names.add(tool.member("name").orElseThrow().string()));
                params = result.member("nextCursor")
                        .map(next -> "{'cursor':" + next + "}")
                        .orElse("");
                pages++;
            }

            assertThat(names)
                    .containsExactly("files__a", "files__b", "files__c", "files__d", "files__e");
            assertThat(pages).isEqualTo(3);
        }
    }

    /** Bug 22: cursors were offsets into whatever order there was. */
    @Test
    void aCursorHoldsForOneAgentOneListAndOneStateOfIt() {
        Room.Plan plan = new Room.Plan();
        plan.limits.pageItems = 1;
        plan.prompts = List.of(new PromptRule("files", ""));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files")
                    .welcome("{'tools':{'listChanged':true},'prompts':{'listChanged':true}}");
            files.list("tools/list", TestPeer.toolList("a", "b"));
            files.list("prompts/list", "{'prompts':[{'name':'p'},{'name':'q'}]}");
            TestPeer agent = room.agent().greeted();
            TestPeer other = room.agent().greeted();
            String cursor = agent.asked("1", "tools/list", "{}")
                    .member("result")
                    .orElseThrow()
                    .member("nextCursor")
                    .orElseThrow()
                    .toJson();

            assertThat(other.asked("1", "tools/list", "{'cursor':" + cursor + "}")
                            .toJson())
                    .contains("-32602");
            assertThat(agent.asked("2", "prompts/list", "{'cursor':" + cursor + "}")
                            .toJson())
                    .contains("-32602");
            for (String wrong : List.of(
                    "''",
                    "1",
                    "null",
                    "'0'",
                    cursor.toUpperCase(java.util.Locale.ROOT),
                    cursor.replace("0", "1"),
                    "'zz'")) {
                assertThat(agent.asked("3", "tools/list", "{'cursor':" + wrong + "}")
                                .toJson())
                        .as(wrong)
                        .contains("-32602");
            }
            assertThat(agent.asked("4", "tools/list", "{'cursor':" + cursor + "}")
                            .toJson())
                    .contains("files__b");
            room.pass(1000);
            files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            files.list("tools/list", TestPeer.toolList("a", "b", "c"));
            agent.expect("notifications/tools/list_changed");

            assertThat(agent.asked("5", "tools/list", "{'cursor':" + cursor + "}")
                            .toJson())
                    .contains("-32602")
                    .contains("begin the list anew");
        }
    }

    @Test
    void anUpstreamWhoseCursorsDoNotAdvanceIsNotAskedForEver() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            files.list("tools/list", "{'tools':[{'name':'a'}],'nextCursor':'x'}");
            files.list("tools/list", "{'tools':[{'name':'b'}],'nextCursor':'x'}");

            assertThat(room.agent().greeted().asked("1", "tools/list", "{}").toJson())
                    .contains("files__a")
                    .contains("files__b");
            files.silence();
            assertThat(room.reports).anyMatch(said -> said.contains("gives the same cursor twice"));
        }
    }

    @Test
    void pagesAndItemsOfAnUpstreamAreBounded() {
        Room.Plan plan = new Room.Plan();
        plan.limits.pages = 3;
        plan.limits.items = 4;
        plan.limits.pageItems = 100;
        plan.tools = new TestRules("files.*", "web.*");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            for (int i = 0; i < 3; i++) {
                files.list(
                        "tools/list", "{'tools':[{'name':'t" + i + "'}],'nextCursor':'" + i + "'}");
            }
            TestPeer web = room.upstream("web").welcome("{'tools':{}}");
            web.list("tools/list", TestPeer.toolList("a", "b", "c", "d", "e"));

            String tools = room.agent().greeted().asked("1", "tools/list", "{}").toJson();

            files.silence();
            assertThat(tools).contains("files__t2").contains("web__d").doesNotContain("web__e");
            assertThat(room.reports).anyMatch(said -> said.contains("more than 3 pages"));
        }
    }

    /** Bug 10, W15: changes were lost, repeated, or told for what nobody sees. */
    @Test
    void aChangedListIsToldOnceAndOnlyWhenTheAgentSeesADifference() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules("files.read", "files.more");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            room.pass(1000);
            String changed = "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}";

            files.say(changed + "\n" + changed + "\n" + changed);
            files.list("tools/list", TestPeer.toolList("read", "hidden"));
            agent.silence();
            room.pass(1000);
            files.list("tools/list", TestPeer.toolList("hidden", "more", "read"));

            agent.expect("notifications/tools/list_changed");
            agent.silence();
            files.silence();
        }
    }

    @Test
    void anUpstreamThatTellsNoChangesIsReadAgainWhenSomebodyLooks() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").welcome("{'tools':{}}");
            files.list("tools/list", TestPeer.toolList("a"));
            TestPeer agent = room.agent().greeted();
            room.pass(1000);

            assertThat(agent.asked("1", "tools/list", "{}").toJson()).doesNotContain("files__b");
            files.list("tools/list", TestPeer.toolList("a", "b"));

            agent.expect("notifications/tools/list_changed");
            assertThat(agent.asked("2", "tools/list", "{}").toJson()).contains("files__b");
        }
    }

    @Test
    void aToolThatIsGoneCannotBeCalled() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("a", "b");
            TestPeer agent = room.agent().greeted();
            room.pass(1000);
            files.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            files.list("tools/list", TestPeer.toolList("b"));
            agent.expect("notifications/tools/list_changed");

            assertThat(agent.asked("1", "tools/call", "{'name':'files__a'}").toJson())
                    .contains("Unknown tool");
            files.silence();
        }
    }

    @Test
    void soManyRequestsOfAnAgentMayBeUnderWayAndTheNextIsToldSo() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            for (int i = 1; i <= 128; i++) {
                agent.ask("" + i, "tools/call", "{'name':'files__read'}");
                files.next();
            }

            assertThat(agent.asked("129", "tools/call", "{'name':'files__read'}")
                            .toJson())
                    .contains("-31001");
            assertThat(agent.asked("130", "ping", "{}").toJson()).contains("\"result\":{}");
            files.silence();
        }
    }

    @Test
    void anIdThatIsStillUnderWayIsRefusedWithoutAnsweringTheFirst() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");

            agent.ask("1", "tools/call", "{'name':'files__read'}");

            assertThat(agent.next().toJson())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
            files.answer(call, "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"id\":1,\"result\"");
            files.silence();
        }
    }
}
