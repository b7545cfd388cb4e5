package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** Resources, prompts, completion and log levels (W13). */
@Tag("process")
final class ResourcesTest {
    private static final String ALL =
            "{'resources':{'subscribe':true,'listChanged':true},'prompts':{},'completions':{},'logging':{}}";

    private static Room.Plan plan() {
        Room.Plan plan = new Room.Plan();
        plan.tools = new TestRules();
        plan.resources =
                List.of(new ResourceRule("files", ""), new ResourceRule("web", "web://open"));
        plan.prompts = List.of(new PromptRule("files", "ask"));
        return plan;
    }

    private static TestPeer files(Room room) {
        TestPeer files = room.upstream("files").welcome(ALL);
        files.list(
                "resources/list",
                "{'resources':[{'uri':'note://a','name':'A','size':1.0},{'uri':'both://x','name':'X'},"
                        + "{'uri':'file:///etc/passwd','name':'P'},{'uri':'note://a/../b','name':'B'}]}");
        files.list(
                "resources/templates/list",
                "{'resourceTemplates':[{'uriTemplate':'note://{id}','name':'N'}]}");
        files.list(
                "prompts/list", "{'prompts':[{'name':'ask','description':'d'},{'name':'hidden'}]}");
        return files;
    }

    private static TestPeer web(Room room) {
        TestPeer web = room.upstream("web").welcome("{'resources':{}}");
        web.list(
                "resources/list",
                "{'resources':[{'uri':'both://x','name':'Y'},{'uri':'web://open/1','name':'O'},"
                        + "{'uri':'web://opened','name':'S'}]}");
        web.fail(web.expect("resources/templates/list"), -32601, "no");
        return web;
    }

    @Test
    void resourcesKeepTheirUrisAndNobodyGetsAnotherOnes() {
        Room.Plan plan = plan();
        plan.resources = List.of(
                new ResourceRule("files", ""),
                new ResourceRule("web", "web://open"),
                new ResourceRule("web", "both://x"));
        try (Room room = new Room(plan)) {
            TestPeer files = files(room);
            TestPeer web = web(room);
            TestPeer agent = room.agent().greeted();

            String listed = agent.asked("1", "resources/list", "{}").toJson();
            assertThat(listed)
                    .contains("{\"uri\":\"note://a\",\"name\":\"A\",\"size\":1.0}")
                    .contains("web://open/1")
                    .doesNotContain("both://x")
                    .doesNotContain("web://opened")
                    .doesNotContain("passwd")
                    .doesNotContain("..");
            assertThat(agent.asked("2", "resources/read", "{'uri':'both://x'}").toJson())
                    .contains("-32002");
            agent.ask("3", "resources/read", "{'uri':'web://open/1'}");
            web.answer(
                    web.expect("resources/read"),
                    "{'contents':[{'uri':'web://open/1','text':'t'}]}");
            assertThat(agent.next().toJson()).contains("\"text\":\"t\"");
            files.silence();
            assertThat(room.reports)
                    .anyMatch(said -> said.contains("files.both://x and web.both://x"));
        }
    }

    @Test
    void whatIsNotListedIsReadOnlyWhereATemplateOrAPrefixLeads() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer web = web(room);
            TestPeer agent = room.agent().greeted();

            agent.ask("1", "resources/read", "{'uri':'note://z'}");
            files.answer(files.expect("resources/read"), "{'contents':[]}");
            assertThat(agent.next().toJson()).contains("result");
            agent.ask("2", "resources/read", "{'uri':'web://open/2?q'}");
            web.answer(web.expect("resources/read"), "{'contents':[]}");
            assertThat(agent.next().toJson()).contains("result");
            for (String uri : List.of(
                    "note://a/b",
                    "note://a/../b",
                    "note://..",
                    "web://opened",
                    "web://open/../x",
                    "web://open/%2e%2e/x",
                    "web://open\\\\x",
                    "file:///etc/passwd",
                    "web://a@open/1",
                    "x",
                    "",
                    "note://a\\u0000",
                    "note:// a",
                    "both://y")) {
                assertThat(agent.asked("3", "resources/read", "{'uri':'" + uri + "'}")
                                .toJson())
                        .as(uri)
                        .contains("-32002")
                        .contains("Resource not found");
            }
            files.silence();
            web.silence();
            assertThat(room.events(Kind.DENIED)).isNotEmpty();
        }
    }

    @Test
    void aFileIsReadOnlyUnderARootUnlessAPrefixNamesIt() {
        Room.Plan plan = plan();
        plan.roots = List.of(new Root("file:///etc", "etc"));
        try (Room room = new Room(plan)) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("1", "resources/list", "{}").toJson()).contains("passwd");
            agent.ask("2", "resources/read", "{'uri':'file:///etc/passwd'}");

            files.expect("resources/read");
        }
    }

    @Test
    void anUpstreamIsToldOfASubscriptionOnceAndOfItsEndOnce() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer first = room.agent().greeted();
            TestPeer second = room.agent().greeted();

            first.ask("1", "resources/subscribe", "{'uri':'note://a'}");
            files.answer(files.expect("resources/subscribe"), "{}");
            assertThat(first.next().toJson()).contains("\"result\":{}");
            assertThat(second.asked("1", "resources/subscribe", "{'uri':'note://a'}")
                            .toJson())
                    .contains("\"result\":{}");
            files.silence();
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'note://a'}}");
            first.expect("notifications/resources/updated");
            second.expect("notifications/resources/updated");
            assertThat(first.asked("2", "resources/unsubscribe", "{'uri':'note://a'}")
                            .toJson())
                    .contains("\"result\":{}");
            files.silence();
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'note://a'}}");
            first.silence();
            second.expect("notifications/resources/updated");
            second.close();
            room.turns();

            assertThat(files.expect("resources/unsubscribe").toJson()).contains("note://a");
        }
    }

    @Test
    void updatesNobodyHasSubscribedToGoNowhere() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();

            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'note://a'}}");
            files.say("{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{}}");
            assertThat(agent.asked("1", "resources/subscribe", "{'uri':'x://y'}")
                            .toJson())
                    .contains("-32602");

            agent.silence();
            files.silence();
        }
    }

    @Test
    void subscriptionsAreRenewedWhenAnUpstreamIsStartedAgain() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "resources/subscribe", "{'uri':'note://a'}");
            files.answer(files.expect("resources/subscribe"), "{}");
            agent.next();
            files.close();
            room.turns();

            TestPeer again = room.connect("files").welcome(ALL);

            assertThat(again.expect("resources/subscribe").toJson()).contains("note://a");
        }
    }

    @Test
    void promptsAreRenamedAndOnlyThoseThatAreAllowed() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("1", "prompts/list", "{}").toJson())
                    .contains("files__ask")
                    .doesNotContain("hidden");
            agent.ask("2", "prompts/get", "{'name':'files__ask','arguments':{'n':'1.0'}}");
            JsonValue get = files.expect("prompts/get");
            assertThat(get.member("params").orElseThrow().toJson())
                    .isEqualTo("{\"name\":\"ask\",\"arguments\":{\"n\":\"1.0\"}}");
            files.answer(get, "{'messages':[]}");
            assertThat(agent.next().toJson()).contains("messages");
            assertThat(agent.asked("3", "prompts/get", "{'name':'files__hidden'}")
                            .toJson())
                    .contains("-32602")
                    .contains("Unknown prompt");
            files.silence();
        }
    }

    @Test
    void completionIsDeniedUnlessItsUpstreamIsNamed() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked(
                                    "1",
                                    "completion/complete",
                                    "{'ref':{'type':'ref/prompt','name':'files_"
                                            + "_ask'},'argument':{'name':'n','value':'v'}}")
                            .toJson())
                    .contains("-32601");
            files.silence();
        }
    }

    @Test
    void completionIsForWhatTheAgentSees() {
        Room.Plan plan = plan();
        plan.completion = Set.of("files");
        try (Room room = new Room(plan)) {
            TestPeer files = files(room);
            TestPeer agent = room.agent().greeted();

            agent.ask(
                    "1",
                    "completion/complete",
                    "{'ref':{'name':'files__ask','type':'ref/prompt'},"
                            + "'argument':{'name':'n','value':'v'},'context':{}}");
            JsonValue complete = files.expect("completion/complete");
            assertThat(complete.toJson()).contains("{\"name\":\"ask\",\"type\":\"ref/prompt\"}");
            files.answer(complete, "{'completion':{'values':['x']}}");
            assertThat(agent.next().toJson()).contains("values");
            agent.ask(
                    "2",
                    "completion/complete",
                    "{'ref':{'type':'ref/resource','uri':'note://{id}'},'argument':{'name':'id','value':''}}");
            assertThat(files.expect("completion/complete").toJson())
                    .contains("\"uri\":\"note://{id}\"");
            for (String ref : List.of(
                    "{'type':'ref/prompt','name':'files__hidden'}",
                    "{'type':'ref/prompt','name':'ask'}",
                    "{'type':'ref/prompt','name':'files__ask','uri':'x'}",
                    "{'type':'ref/resource','uri':'web://{x}'}",
                    "{'type':'x','name':'files__ask'}",
                    "{'name':'files__ask'}",
                    "[]",
                    "'x'",
                    "{'type':'ref/prompt','name':'files__ask','Name':'hidden'}")) {
                assertThat(agent.asked(
                                        "3",
                                        "completion/complete",
                                        "{'ref':" + ref + ",'argument':{'name':'n','value':'v'}}")
                                .toJson())
                        .as(ref)
                        .contains("-32602");
            }
            files.silence();
        }
    }

    @Test
    void theMostVerboseLevelIsAskedForAndEachAgentGetsWhatItWants() {
        try (Room room = new Room(plan())) {
            TestPeer files = files(room);
            TestPeer first = room.agent().greeted();
            TestPeer second = room.agent().greeted();

            assertThat(first.asked("1", "logging/setLevel", "{'level':'error'}").toJson())
                    .contains("\"result\":{}");
            JsonValue level = files.expect("logging/setLevel");
            assertThat(level.toJson()).contains("\"level\":\"error\"");
            files.answer(level, "{}");
            assertThat(second.asked("1", "logging/setLevel", "{'level':'debug'}")
                            .toJson())
                    .contains("\"result\":{}");
            assertThat(files.expect("logging/setLevel").toJson()).contains("\"level\":\"debug\"");
            assertThat(first.asked("2", "logging/setLevel", "{'level':'loud'}").toJson())
                    .contains("-32602");
            files.say(
                    "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':{'n':1.0}}}");
            files.say("{'jsonrpc':'2.0','method':'notifications/message'"
                    + ",'params':{'logger':'l','level':'alert','data':2}}");

            assertThat(second.next().toJson())
                    .contains("{\"level\":\"info\",\"data\":{\"n\":1.0},\"logger\":\"files\"}");
            assertThat(second.next().toJson()).contains("\"logger\":\"files/l\"");
            assertThat(first.next().toJson()).contains("\"alert\"");
            first.silence();
        }
    }

    @Test
    void aUriIsJudgedByItsCharacters() {
        assertThat(ResourceUris.isPlain("note://a/b.c?d=..e#f")).isTrue();
        assertThat(List.of(
                        "//x",
                        "a",
                        "x://h/./y",
                        "x:..",
                        "x:a/..",
                        "x://u:p@h/",
                        "x://h/%2E%2E",
                        "x://h/%2f",
                        "x:\ty"))
                .noneMatch(ResourceUris::isPlain);
        assertThat(ResourceUris.isUnder("file:///data/public2", "file:///data/public"))
                .isFalse();
        assertThat(ResourceUris.isUnder("file:///data/public/x", "file:///data/public"))
                .isTrue();
        assertThat(ResourceUris.isUnder("file:///data/public", "file:///data/public"))
                .isTrue();
        assertThat(ResourceUris.isUnder("x:y", "")).isFalse();
    }

    @Test
    void nothingIsBelowAUriThatOnlyBeginsLikeIt() {
        for (String[] outside : new String[][] {
            {"https://host:8443/x", "https://host"},
            {"https://host=evil/x", "https://host"},
            {"https://host&evil/x", "https://host"},
            {"https://host@evil/x", "https://host"},
            {"https://host.evil/x", "https://host"},
            {"https://evil/x", "https://"},
            {"https:x", "https:"},
            {"note:a:b", "note:a"},
            {"note:a=b", "note:a"},
            {"note:a", "note:"},
            {"https://host/p?id=1&all=yes", "https://host/p?id=1"},
            {"https://host/p?id=1/2", "https://host/p?id=1"},
            {"file:///data/public?x", "file:///data/public"},
            {"file:///data/public#x", "file:///data/public"},
            {"file://evil/data", "file://"},
        }) {
            assertThat(ResourceUris.isUnder(outside[0], outside[1]))
                    .as("%s under %s", outside[0], outside[1])
                    .isFalse();
        }
        for (String[] inside : new String[][] {
            {"https://host/x", "https://host"},
            {"https://host?x", "https://host"},
            {"https://host:1/x", "https://host:1"},
            {"https://host/p?id=1#here", "https://host/p?id=1"},
            {"note://a/b", "note://"},
            {"note:a/b", "note:a"},
            {"file:///data/public/x", "file:///data/"},
        }) {
            assertThat(ResourceUris.isUnder(inside[0], inside[1]))
                    .as("%s under %s", inside[0], inside[1])
                    .isTrue();
        }
    }

    @Test
    void aTemplateOfThousandsOfExpressionsIsTriedInVainAndWithoutDepth() {
        String url = "a://" + "y".repeat(4000);
        assertThat(fits(url, "a://" + "{+x}".repeat(2000))).isFalse();
        assertThat(fits(url, "a://" + "{+x}".repeat(65))).isFalse();
        assertThat(fits(url, "a://" + "{+x}".repeat(64))).as("control").isTrue();
        assertThat(fits("a://p/qq/r.txt", "a://{p}/{q}/{r}.txt")).isTrue();
        assertThat(fits("a://p//r.txt", "a://{p}/{q}/{r}.txt")).isFalse();
    }

    @Test
    void aTemplateFitsWhatItMayHaveMadeAndNeverTakesLong() {
        assertThat(fits("a://x/y", "a://{p}/{q}")).isTrue();
        assertThat(fits("a://x/y/z", "a://{p}/{q}")).isFalse();
        assertThat(fits("a://x/y/z", "a://{+p}")).isTrue();
        assertThat(fits("a://x", "a://{p")).isFalse();
        assertThat(fits("a://", "a://{p}")).isFalse();
        String hostile = "a://" + "{+x}".repeat(40) + "!";
        assertThat(fits("a://" + "y".repeat(4000), hostile)).isFalse();
    }

    @Test
    void templatesOfOneUpstreamThatTakeLongKeepNobodyFromAnother() {
        Room.Plan plan = plan();
        plan.resources = List.of(new ResourceRule("files", ""), new ResourceRule("web", ""));
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").welcome("{'resources':{}}");
            files.list("resources/list", "{'resources':[]}");
            String hostile = "{'uriTemplate':'" + "{+x}".repeat(40) + "!%d'},";
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                all.append(hostile.replace("%d", "" + i));
            }
            files.list(
                    "resources/templates/list",
                    "{'resourceTemplates':[" + all + "{'uriTemplate':'x:{+y}'}]}");
            TestPeer web = room.upstream("web").welcome("{'resources':{}}");
            web.list("resources/list", "{'resources':[]}");
            web.list(
                    "resources/templates/list",
                    "{'resourceTemplates':[{'uriTemplate':'note://{id}'}]}");
            TestPeer agent = room.agent().greeted();

            agent.ask("1", "resources/read", "{'uri':'note://" + "y".repeat(2000) + "'}");

            web.expect("resources/read");
            files.silence();
        }
    }

    private static boolean fits(String uri, String template) {
        return ResourceUris.fits(uri, template, new ResourceUris.Budget(1));
    }

    @Test
    void whatSomeServersTakeForAStepUpOrHideIsNotPlain() {
        for (String uri : List.of(
                "a://h/x/%252e%252e/y",
                "a://h/x/..;/y",
                "a://h/x/..;v=1/y",
                "a://h/%c0%ae%c0%ae/y",
                "a://h/%u002e%u002e/y",
                "a://h/.%09./y",
                "a://h/%0d%0a",
                "a://h/%7f",
                "a://h/%zz",
                "a://h/%4",
                "a://h/\u202ey",
                "a://h/\u0085")) {
            assertThat(ResourceUris.isPlain(uri)).as(uri).isFalse();
        }
        for (String uri :
                List.of("a://h/x/%20y", "a://h/x;v=1/y", "a://h/%C3%A9", "a://h/\u00e9")) {
            assertThat(ResourceUris.isPlain(uri)).as(uri).isTrue();
        }
    }

    /** However many there are: what is looked at for one URI is bounded. */
    @Test
    void templatesAreTriedWithinABudgetOfAllUpstreams() {
        ResourceUris.Budget budget = new ResourceUris.Budget(2);
        String uri = "test://" + "%41".repeat(2700);
        int tried = 0;
        while (ResourceUris.fits(uri, "test://{a}", budget)) {
            tried++;
        }
        assertThat(tried).isBetween(1, 500_000 / uri.length());
    }
}
