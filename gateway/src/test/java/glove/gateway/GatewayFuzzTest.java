package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Seed;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Mutated lines of agents and of upstreams: whatever a sloppy reader takes what was forwarded for
 * is what the policy has seen, nobody gets another's answer, and the gateway goes on.
 */
@Tag("process")
final class GatewayFuzzTest {
    private static final int ROUNDS = 6000;

    private static final String[] SPICE = {
        "\r",
        "\n",
        "\"",
        "\\",
        "\\u0000",
        "\\ud800",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "1e2",
        "-0",
        "null",
        "\u2028",
        "\u00e9",
        "\"name\":\"drop\",",
        "\"Name\":\"drop\",",
        "\"n\\u0061me\":\"drop\",",
        "\"path\":\"/etc/passwd\",",
        "\"Path\":\"/etc/passwd\",",
        "\"arguments\":{\"path\":\"/etc/passwd\"},",
        "\"Arguments\":{\"path\":\"/etc\"},",
        "\"method\":\"tools/call\",",
        "\"Method\":\"tools/call\",",
        "\"id\":1,",
        "\"params\":{\"name\":\"drop\"},",
        "\r{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"drop\"}}\r",
        "\"_meta\":{\"io.modelcontextprotocol/x\":1},",
        "\"task\":{},",
        "files__read",
        "files__drop",
        " ",
        "\t",
        "\u0000",
    };

    private static final String[] OF_AGENTS = {
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"files__"
                + "read\",\"arguments\":{\"path\":\"/data/a\",\"n\":[1.0,{\""
                + "x\":\"y\"}]},\"_meta\":{\"progressToken\":\"t\",\"v\":1}}}",
        "{\"params\":{\"arguments\":{\"path\":\"/data/\\u0062\"},\"name\":\"fil"
                + "es__read\"},\"method\":\"tools/call\",\"id\":\"s\",\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5,\"reason\":\"r\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}",
    };

    private static boolean isBeforeMember(byte[] bytes, int at) {
        return at > 0 && (bytes[at - 1] == '{' || bytes[at - 1] == ',');
    }

    private static boolean hasMember(byte[] bytes) {
        for (int at = 0; at <= bytes.length; at++) {
            if (isBeforeMember(bytes, at)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        byte[] now = bytes;
        for (int n = random.nextInt(3); n >= 0; n--) {
            int at = random.nextInt(now.length + 1);
            // Half of the time where a member may begin: elsewhere most is no JSON.
            boolean isChosen = random.nextBoolean();
            while (isChosen && !isBeforeMember(now, at) && hasMember(now)) {
                at = random.nextInt(now.length + 1);
            }
            int cut = random.nextInt(5) == 0 ? Math.min(now.length - at, random.nextInt(12)) : 0;
            byte[] put = SPICE[random.nextInt(SPICE.length)].getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream next = new ByteArrayOutputStream();
            next.write(now, 0, at);
            if (random.nextInt(6) == 0) {
                next.write(random.nextInt(256));
            } else if (random.nextInt(8) != 0) {
                next.writeBytes(put);
            }
            next.write(now, at + cut, now.length - at - cut);
            now = next.toByteArray();
        }
        return now;
    }

    private static byte[] ended(byte[] line) {
        byte[] ended = Arrays.copyOf(line, line.length + 1);
        ended[line.length] = '\n';
        return ended;
    }

    @Test
    void whateverAnAgentSendsNothingReachesAnUpstreamThatThePolicyHasNotSeen() {
        Random random = Seed.random(1);
        int forwarded = 0;
        int round = 0;
        while (round < ROUNDS) {
            Room.Plan plan = new Room.Plan();
            TestRules rules = new TestRules("files.read");
            plan.tools = rules;
            try (Room room = new Room(plan)) {
                TestPeer files = room.upstream("files").tools("read", "drop");
                TestPeer agent = room.agent().greeted();
                while (round < ROUNDS && !agent.isHungUp()) {
                    round++;
                    byte[] seed = OF_AGENTS[random.nextInt(OF_AGENTS.length)].getBytes(
                            StandardCharsets.UTF_8);
                    byte[] line = mutate(seed, random);
                    rules.seen.clear();
                    room.events.clear();
                    agent.sayBytes(ended(line));
                    for (String received : files.all()) {
                        forwarded += check(rules, received, line);
                        answer(files, received);
                    }
                    agent.all().forEach(TestPeer::parse);
                }
            }
        }
        assertThat(forwarded).as("the fuzz reaches what it is about").isGreaterThan(ROUNDS / 50);
    }

    private static void answer(TestPeer files, String received) {
        JsonValue message = TestPeer.parse(received);
        if (message.member("id").isPresent()) {
            files.answer(message, "{'content':[]}");
        }
    }

    /** One line of the upstream's, read in every manner; how many calls it was. */
    private static int check(TestRules rules, String received, byte[] sent) {
        String context = Seed.words() + "\nsent " + new String(sent, StandardCharsets.UTF_8)
                + "\nreceived " + received + "\nseen " + rules.seen;
        Set<String> seen = new HashSet<>();
        for (String one : rules.seen) {
            int space = one.indexOf(' ');
            String arguments = one.substring(space + 1);
            seen.add(one.substring(0, space) + " "
                    + (arguments.equals("-") ? "-" : canonical(arguments)));
        }
        int calls = 0;
        for (SloppyReader.Manner manner : SloppyReader.MANNERS) {
            List<Map<String, Object>> messages =
                    SloppyReader.messages(received.getBytes(StandardCharsets.UTF_8), manner);
            assertThat(messages).as(context).hasSize(1);
            Map<String, Object> message = messages.get(0);
            String method = String.valueOf(message.get("method"));
            assertThat(method).as(context).isIn("tools/call", "notifications/cancelled");
            assertThat(message.keySet())
                    .as(context)
                    .isSubsetOf("jsonrpc", "id", "method", "params");
            if (method.equals("tools/call") && message.get("params") instanceof Map<?, ?> params) {
                calls = 1;
                assertThat(params.get("name")).as(context).isEqualTo("read");
                // Arguments are the policy's matter: compared as it saw them, in all manners.
                Object arguments = params.get("arguments");
                if (!manner.foldsCase()) {
                    String shown = arguments == null ? "-" : String.valueOf(arguments);
                    assertThat(seen).as(context).contains("files.read " + shown);
                }
                if (arguments instanceof Map<?, ?> given
                        && given.get("path") instanceof String path
                        && !manner.foldsCase()) {
                    assertThat(path).as(context).startsWith("/data/");
                }
            }
        }
        return calls;
    }

    /** What the sloppy reader makes of what the policy saw: the same either way, or it was two. */
    private static String canonical(String json) {
        byte[] wrapped = ("{\"a\":" + json + "}").getBytes(StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>();
        for (SloppyReader.Manner manner : SloppyReader.MANNERS.subList(0, 2)) {
            all.add(String.valueOf(SloppyReader.messages(wrapped, manner).get(0).get("a")));
        }
        assertThat(all.get(0)).isEqualTo(all.get(1));
        return all.get(0);
    }

    @Test
    void whateverAnUpstreamSendsAnAgentGetsOnlyAnswersToWhatItAskedAndOnce() {
        Random random = Seed.random(2);
        int answered = 0;
        int round = 0;
        while (round < ROUNDS) {
            try (Room room = new Room()) {
                TestPeer files = room.upstream("files").tools("read");
                TestPeer web = room.upstream("web").tools("get");
                TestPeer agent = room.agent().greeted();
                while (round < ROUNDS && !files.isHungUp()) {
                    round++;
                    String id = "\"" + round + "\"";
                    agent.ask(
                            id,
                            "tools/call",
                            "{'name':'files__read','_meta':{'progressToken':" + round + "}}");
                    JsonValue call = files.expect("tools/call");
                    files.sayBytes(ended(mutate(ofUpstream(TestPeer.id(call), random), random)));
                    Optional<String> answer = Optional.empty();
                    for (String line : agent.all()) {
                        JsonValue message = TestPeer.parse(line);
                        if (message.member("id").isPresent()) {
                            assertThat(answer).as(Seed.words() + " " + line).isEmpty();
                            assertThat(TestPeer.id(message))
                                    .as(Seed.words() + " " + line)
                                    .isEqualTo(id);
                            answer = Optional.of(line);
                        }
                    }
                    answered += answer.isPresent() ? 1 : 0;
                    files.all();
                    if (answer.isEmpty()) {
                        agent.say(
                                "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':"
                                        + id + "}}");
                        files.all();
                    }
                }
                agent.ask("'w'", "tools/call", "{'name':'web__get'}");
                web.answer(web.expect("tools/call"), "{}");
                assertThat(agent.all()).anyMatch(line -> line.contains("\"id\":\"w\",\"result\""));
            }
        }
        assertThat(answered).isGreaterThan(ROUNDS / 50);
    }

    private static byte[] ofUpstream(String id, Random random) {
        String[] all = {
            "{\"jsonrpc\":\"2.0\",\"id\":" + id
                    + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"isError\":false}}",
            "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-1,\"message\":\"m\"}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                    + id + ",\"progress\":1}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":{}}}",
        };
        return all[random.nextInt(all.length)].getBytes(StandardCharsets.UTF_8);
    }
}
