package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.GatewayEvent.Kind;
import glove.policy.PolicyException;
import glove.policy.ToolPolicy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The real policy between the real bytes. */
@Tag("process")
final class PolicyToolsTest {
    private static Room.Plan plan(ToolPolicy policy) {
        Room.Plan plan = new Room.Plan();
        plan.tools = new PolicyTools(policy, () -> 0);
        return plan;
    }

    @Test
    void rulesOfOptionsDecideWhatIsSeenAndWhatIsCalled() throws PolicyException {
        ToolPolicy policy = ToolPolicy.ofOptions(
                List.of("files.read"), List.of("files.read:path=/data/public"));
        try (Room room = new Room(plan(policy))) {
            TestPeer files = room.upstream("files").tools("read", "write", "a b");
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("1", "tools/list", "{}").toJson())
                    .contains("files__read")
                    .doesNotContain("write");
            agent.ask(
                    "2",
                    "tools/call",
                    "{'name':'files__read','arguments':{'path':'/data/public/x'}}");
            files.answer(files.expect("tools/call"), "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"content\":[]");
            for (String arguments : List.of(
                    "{'path':'/etc/passwd'}",
                    "{'path':'/data/public/../x'}",
                    "{}",
                    "{'path':'/data/public2'}",
                    "{'path':['/data/public/x']}",
                    "{'Path':'/data/public/x'}")) {
                String denied = agent.asked(
                                "3",
                                "tools/call",
                                "{'name':'files__read','arguments':" + arguments + "}")
                        .toJson();
                assertThat(denied)
                        .as(arguments)
                        .contains("\"isError\":true")
                        .doesNotContain("--allow");
            }
            files.silence();
            assertThat(room.events(Kind.DENIED))
                    .hasSizeGreaterThan(1)
                    .allMatch(
                            event -> !event.reason().isEmpty() && event.rule().contains("--allow"));
        }
    }

    @Test
    void ratesAndSizesOfAPolicyFileHold() throws PolicyException {
        String file =
                "{'version':1,'rules':[{'tool':'files.read','rate':{'calls':1,'seconds':60},'result_bytes_max':20}]}";
        ToolPolicy policy;
        policy = ToolPolicy.ofFile(TestPeer.json(file).getBytes(StandardCharsets.UTF_8), "p");
        try (Room room = new Room(plan(policy))) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            agent.ask("1", "tools/call", "{'name':'files__read'}");
            files.answer(files.expect("tools/call"), "{'content':['xxxxxxxxxxxxxxxxxx']}");
            assertThat(agent.next().toJson()).contains("more than the 20 allowed");
            assertThat(agent.asked("2", "tools/call", "{'name':'files__read'}").toJson())
                    .contains("\"isError\":true");
            files.silence();
        }
    }
}
