package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hostile lines from either side, as data: frames.txt says what each must come to. */
@Tag("process")
final class FramesTest {
    /** One line of the file. */
    record Case(int number, boolean ofAgent, String expected, String line) {
        @Override
        public String toString() {
            return number + ": " + (ofAgent ? "agent " : "upstream ") + expected + " "
                    + (line.length() > 90 ? line.substring(0, 90) + "..." : line);
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        int number = 0;
        for (String line : text().split("\n", -1)) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" \\| ", 3);
                cases.add(new Case(number, parts[0].equals("agent"), parts[1], parts[2]));
            }
        }
        return cases;
    }

    private static String text() {
        try (InputStream in = FramesTest.class.getResourceAsStream("frames.txt")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void thereAreEnoughOfThemInBothDirections() {
        assertThat(cases()).filteredOn(Case::ofAgent).hasSizeGreaterThan(100);
        assertThat(cases()).filteredOn(one -> !one.ofAgent()).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aLineComesToWhatItShould(Case one) {
        Room.Plan plan = new Room.Plan();
        plan.limits.frameBytes = 256 << 10;
        plan.tools = new TestRules("files.read");
        try (Room room = new Room(plan)) {
            TestPeer files = room.upstream("files").tools("read", "drop");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            JsonValue call = files.expect("tools/call");
            byte[] bytes = bytes(one.line().replace("ID", TestPeer.id(call)));
            if (one.ofAgent()) {
                agent.sayBytes(bytes);
                ofAgent(one, room, agent, files);
            } else {
                files.sayBytes(bytes);
                ofUpstream(one, room, agent, files);
            }
            boolean isOver = one.expected().equals("end");
            boolean isAnswered = !one.ofAgent()
                    && (one.expected().equals("pass") || one.expected().startsWith("error"));
            if (!isOver && !isAnswered) {
                // The call that was under way has come to no harm.
                files.answer(call, "{'right':1}");
                assertThat(agent.line())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"right\":1}}");
            }
            if (!isOver) {
                assertThat(agent.asked("'alive'", "ping", "{}").toJson()).contains("\"result\":{}");
            }
        }
    }

    private static void ofAgent(Case one, Room room, TestPeer agent, TestPeer files) {
        String expected = one.expected();
        if (expected.startsWith("error ")) {
            JsonValue error = agent.next().member("error").orElseThrow();
            assertThat(error.member("code").orElseThrow().toJson())
                    .as("%s", error)
                    .isEqualTo(expected.substring(6));
            // Nothing of what it sent is repeated that a terminal would obey.
            assertThat(error.member("message").orElseThrow().string())
                    .doesNotContain("\u001b", "\u202e", "\n");
        } else if (expected.equals("answer")) {
            assertThat(agent.next().toJson()).contains("\"result\":{}");
        } else if (expected.equals("denied")) {
            assertThat(agent.next().toJson()).contains("\"isError\":true");
        } else if (expected.equals("pass")) {
            String line = files.line();
            assertThat(line).doesNotContain("\r");
            JsonValue params = TestPeer.parse(line).member("params").orElseThrow();
            assertThat(params.member("name").orElseThrow().string()).isEqualTo("read");
            assertThat(line).doesNotContain("io.modelcontextprotocol");
        } else if (expected.equals("end")) {
            assertThat(agent.isHungUp()).isTrue();
            files.expect("notifications/cancelled");
            assertThat(room.ended).hasSize(1);
        } else {
            assertThat(expected).isEqualTo("nothing");
        }
        if (!expected.equals("end")) {
            agent.silence();
        }
        files.silence();
    }

    private static void ofUpstream(Case one, Room room, TestPeer agent, TestPeer files) {
        String expected = one.expected();
        if (expected.startsWith("error ")) {
            assertThat(agent.next().toJson())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":"
                            + expected.substring(6));
        } else if (expected.equals("pass")) {
            String line = agent.line();
            assertThat(line).doesNotContain("\r");
            assertThat(TestPeer.id(TestPeer.parse(line))).isEqualTo("1");
        } else if (expected.equals("reply result")) {
            assertThat(files.next().member("result")).isPresent();
        } else if (expected.startsWith("reply ")) {
            assertThat(files.next().toJson())
                    .contains("\"error\":{\"code\":" + expected.substring(6));
        } else if (expected.equals("end")) {
            assertThat(agent.next().toJson()).contains("-31003");
            assertThat(files.isHungUp()).isTrue();
            assertThat(room.ended).hasSize(1);
        } else {
            assertThat(expected).isEqualTo("nothing");
        }
        agent.silence();
        if (!expected.equals("end")) {
            files.silence();
        }
    }

    /** The line as it is sent, with its end. */
    private static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = 0;
        while (at < text.length()) {
            Optional<String> repeated = repetition(text, at);
            char c = text.charAt(at);
            if (repeated.isPresent()) {
                bytes.writeBytes(repeated.get().getBytes(StandardCharsets.UTF_8));
                at = text.indexOf('}', at + 1) + 1;
            } else if (c == '<' && text.length() > at + 3 && text.charAt(at + 3) == '>') {
                bytes.write(Integer.parseInt(text.substring(at + 1, at + 3), 16));
                at += 4;
            } else {
                bytes.write(c == '\'' ? '"' : c);
                at++;
            }
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    /** Of {@code {1000*x}}. */
    private static Optional<String> repetition(String text, int at) {
        int star = text.indexOf('*', at);
        int end = text.indexOf('}', at + 1);
        boolean is = text.charAt(at) == '{' && star > at + 1 && end > star + 1;
        for (int i = at + 1; is && i < star; i++) {
            is = Character.isDigit(text.charAt(i));
        }
        return is
                ? Optional.of(text.substring(star + 1, end)
                        .repeat(Integer.parseInt(text.substring(at + 1, star))))
                : Optional.empty();
    }
}
