package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Errno;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Every system call of the gateway fails once: nothing leaks, and nobody gets a wrong answer. */
@Tag("process")
final class GatewayFaultTest {
    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.EPIPE})
    void whicheverCallFailsNothingIsLeftAndNoAnswerIsWrong(int errno) {
        int nth = 1;
        int served = 0;
        boolean fired = true;
        while (fired) {
            FdLeaks.watch();
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
            served += session(new Linux(kernel)) ? 1 : 0;
            FdLeaks.assertNone();
            fired = kernel.fired();
            nth++;
        }
        assertThat(nth).as("calls that failed").isGreaterThan(20);
        assertThat(served).as("sessions that went well all the same").isPositive();
    }

    /** Whether the agent got its answer. */
    private static boolean session(Linux linux) {
        List<String> answers;
        try (Room room = new Room(new Room.Plan(), linux)) {
            try {
                TestPeer files = room.upstream("files").tools("read");
                TestPeer agent = room.agent().greeted();
                agent.ask("1", "tools/call", "{'name':'files__read'}");
                files.answer(files.expect("tools/call"), "{'right':1}");
                answers = agent.all();
            } catch (AssertionError e) {
                return false; // the room's way to say that something did not work
            }
        } catch (AssertionError e) {
            return false;
        }
        assertThat(answers)
                .allMatch(line -> line.contains("\"id\":1,\"result\":{\"right\":1}")
                        || line.contains("\"id\":1,\"error\""));
        return !answers.isEmpty();
    }
}
