package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** What a user can be asked, by whom, and under which name. */
@Tag("process")
final class FormsTest {
    private static final String CALL = "{'name':'files__read'}";

    private static Room room() {
        Room.Plan plan = new Room.Plan();
        plan.elicitation = Set.of("files", "web");
        plan.sampling = Set.of("files", "web");
        return new Room(plan);
    }

    private static TestPeer agent(Room room) {
        TestPeer agent = room.agent();
        agent.greet("2025-11-25", "{'elicitation':{},'sampling':{}}");
        return agent;
    }

    private static String form(String message, String fields) {
        return "{'message':'" + message + "','requestedSchema':{'type':'object','properties':{"
                + fields + "}}}";
    }

    /** One that nobody has asked anything could wait for its moment, or pretend to be another. */
    @Test
    void onlyAnUpstreamWithACallUnderWayMayAsk() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer web = room.upstream("web").tools("get");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            JsonValue call = files.expect("tools/call");
            String sampling = "{'messages':[],'maxTokens':1}";

            web.ask("1", "elicitation/create", form("m", ""));
            assertThat(web.next().toJson()).contains("-32601");
            assertThat(room.events(GatewayEvent.Kind.REFUSED))
                    .singleElement()
                    .asString()
                    .contains("has a request under way here");
            web.ask("2", "sampling/createMessage", sampling);
            assertThat(web.next().toJson()).contains("-32601");
            agent.silence();

            files.ask("1", "elicitation/create", form("m", ""));
            agent.answer(agent.expect("elicitation/create"), "{'action':'decline'}");
            files.next();
            files.answer(call, "{}");
            agent.next();
            files.ask("2", "elicitation/create", form("m", ""));
            assertThat(files.next().toJson()).as("the call is over").contains("-32601");
        }
    }

    @Test
    void everyLineOfAMessageIsUnderItsUpstreamsName() {
        assertThat(Forms.marked("files", "a\n[web] b\r\nc\rd\u2028e\u0085f\u000bg"))
                .isEqualTo("[files] a\n[files] [web] b\n[files] c\n[files] d\n[files] e\n"
                        + "[files] f\n[files] g");
        assertThat(Forms.marked("files", "\u001b[2K\u202e\ta")).isEqualTo("[files] ?[2K? a");
    }

    @Test
    void whatIsShownOfAFormIsCleanedAndWhatIsAnsweredIsClean() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            files.expect("tools/call");

            files.ask(
                    "1",
                    "elicitation/create",
                    form(
                            "m",
                            "'a':{'type':'string','title':'\\u001b[2J\\u202et','description':'d\\u0007'}"));
            assertThat(agent.expect("elicitation/create").toJson())
                    .contains("\"title\":\"?[2J?t\"")
                    .contains("\"description\":\"d?\"");
            for (String fields : List.of(
                    "'\\u001b[2J':{'type':'string'}",
                    "'a':{'type':'string','default':'\\u202e'}",
                    "'a':{'type':'string','enum':['\\u0007']}",
                    "'a':{'type':'string','oneOf':[{'const':'\\u0007','title':'t'}]}")) {
                files.ask("2", "elicitation/create", form("m", fields));
                assertThat(files.next().toJson()).as(fields).contains("no control characters");
            }
            String schema =
                    "{'message':'m','requestedSchema':{'type':'object','title':'your password',"
                            + "'properties':{'a':{'type':'string'}}}}";
            files.ask("3", "elicitation/create", schema);
            assertThat(files.next().toJson()).contains("may not ask for secrets");
        }
    }

    @Test
    void messagesOfASamplingHoldNoTools() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            files.expect("tools/call");
            for (String content : List.of("{'type':'tool_use'}", "[{'type':'tool_result'}]")) {
                files.ask(
                        "1",
                        "sampling/createMessage",
                        "{'maxTokens':1,'messages':[{'role':'user','content':" + content + "}]}");
                assertThat(files.next().toJson()).as(content).contains("without tools");
            }
        }
    }

    @Test
    void plainFieldsOfTheProtocolPass() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            files.expect("tools/call");
            for (String field : List.of(
                    "{'type':'string','title':'t','minLength':1,'format':'email','default':'d'}",
                    "{'type':'string','enum':['a'],'enumNames':['A']}",
                    "{'type':'string','oneOf':[{'const':'a','title':'A'}]}",
                    "{'type':'integer','minimum':1,'maximum':2}",
                    "{'type':'number','default':1.5}",
                    "{'type':'boolean','default':true}",
                    "{'type':'array','items':{'type':'string','enum':['a']},'default':['a']}",
                    "{'type':'array','items':{'anyOf':[{'const':'a','title':'A'}]},'maxItems':1}")) {
                room.pass(1000);
                files.ask("1", "elicitation/create", form("m", "'f':" + field));
                agent.answer(agent.expect("elicitation/create"), "{'action':'decline'}");
                assertThat(files.next().toJson()).as(field).contains("decline");
            }
        }
    }

    @Test
    void whatIsNoPlainFieldDoesNot() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            files.expect("tools/call");
            StringBuilder many = new StringBuilder("'f':{'type':'string'}");
            for (int i = 0; i < 64; i++) {
                many.append(",'f").append(i).append("':{'type':'string'}");
            }
            for (String fields : List.of(
                    "'f':{'type':'object','properties':{}}",
                    "'f':{'type':'array'}",
                    "'f':{'type':'array','items':{'type':'object'}}",
                    "'f':{'type':'string','oneOf':[{'const':{}}]}",
                    "'f':{'type':'string','enum':[[]]}",
                    "'f':{'type':'string','$ref':'https://example.com'}",
                    "'f':{'type':'string','pattern':'(a+)+'}",
                    "'f':{'type':'string','title':{}}",
                    "'f':{'type':['string']}",
                    "'f':{}",
                    "'f':true",
                    "'f':{'type':'string','title':'" + "x".repeat(40_000) + "'}",
                    many.toString())) {
                files.ask("1", "elicitation/create", form("m", fields));
                assertThat(files.next().toJson()).as(fields).contains("-32602");
            }
            files.ask("2", "elicitation/create", form("m".repeat(9000), ""));
            assertThat(files.next().toJson()).contains("-32602");
            agent.silence();
        }
    }

    @Test
    void questionsAreFewInASecond() {
        try (Room room = room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = agent(room);
            agent.ask("1", "tools/call", CALL);
            files.expect("tools/call");
            int asked = 0;
            for (int i = 0; i < 50; i++) {
                files.ask("" + i, "elicitation/create", form("m", ""));
                for (String line : agent.all()) {
                    asked++;
                    agent.answer(TestPeer.parse(line), "{'action':'decline'}");
                }
                files.next();
            }

            assertThat(asked).isEqualTo(8);
        }
    }
}
