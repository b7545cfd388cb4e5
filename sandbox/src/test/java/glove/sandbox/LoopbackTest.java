package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.testkit.Command;
import glove.testkit.Lanes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The loopback interface of a sandbox: what listens there from outside, and is reached from it. */
@Tag("privileged")
final class LoopbackTest {
    /** Everything here happens in one machine's memory; what takes longer hangs. */
    private static final long MILLIS_MAX = 240_000;

    private static final int HEADER_BYTES = 80;
    private static final int STEP_BYTES = 64;

    private static final IpEndpoint PROXY = new IpEndpoint(IpAddress.LOOPBACK_V4, 3128);
    private static final IpEndpoint LOW = new IpEndpoint(IpAddress.LOOPBACK_V4, 80);
    private static final IpEndpoint PROXY6 = new IpEndpoint(IpAddress.LOOPBACK_V6, 3128);

    /** Exits with the byte it is sent. */
    private static final String CLIENT = """
            exec python3 -c "
            import socket, sys
            s = socket.create_connection(('$address', $port), 240)
            sys.exit(s.recv(1)[0])"
            """;

    /** Says on its output that it listens, and exits with the byte it is sent. */
    private static final String SERVER = """
            exec python3 -c "
            import os, socket, sys
            s = socket.socket(socket.$family)
            s.bind(('$address', 8080)); s.listen()
            open('/dev/shm/listens', 'w').close()
            sys.exit(s.accept()[0].recv(1)[0])" & server=$!
            while [ ! -e /dev/shm/listens ]; do sleep 0.01; done
            kill -STOP $$
            wait $server
            """;

    private final Linux linux = Linux.host();

    @BeforeEach
    void requirePython() throws Exception {
        boolean installed = Command.of("sh", "-c", "command -v python3").run().status() == 0;
        Lanes.require("privileged", installed, "python3 is missing");
    }

    private Profile profile(String script, boolean publishes, IpEndpoint... listeners)
            throws Exception {
        Loopback loopback = Loopback.of(linux, List.of(listeners), publishes);
        return TestProfiles.shell(linux, script).withLoopback(loopback);
    }

    private RunningSandbox launch(Launcher launcher, Profile profile) throws Exception {
        return new Sandbox(linux, launcher).launch(profile, StandardStreams.inherited());
    }

    private void awaitReadable(OwnedFd fd) throws ErrnoException {
        int[] happened = linux.poll(List.of(new PollFd(fd, PollFd.POLLIN)), MILLIS_MAX);
        assertThat(happened[0]).as("in time").isEqualTo(PollFd.POLLIN);
    }

    private void serveOne(IpEndpoint endpoint) throws Exception {
        String script =
                "address=" + endpoint.address() + " port=" + endpoint.port() + "\n" + CLIENT;
        FdLeaks.watch();
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launch(launcher, profile(script, false, endpoint));
                OwnedFd listener = running.takeLoopbackListener(0).orElseThrow()) {
            awaitReadable(listener);
            try (OwnedFd connection = linux.accept(listener).orElseThrow()) {
                linux.writeFully(connection, new byte[] {42});

                assertThat(running.await()).isEqualTo(new Exit.Exited(42));
            }
        }
        FdLeaks.assertNone();
    }

    @Test
    void aListenerComesOutAndServesTheAgent() throws Exception {
        serveOne(PROXY);
    }

    @Test
    void aListenerMayHaveAPortBelow1024() throws Exception {
        serveOne(LOW);
    }

    @Test
    void aListenerMayBeOnIpv6() throws Exception {
        serveOne(PROXY6);
    }

    @Test
    void withoutIpv6InTheKernelTheOthersComeOutAndTheReceiverKnows() throws Exception {
        Loopback without = new Loopback(List.of(PROXY6, PROXY), false, false);
        Profile profile = TestProfiles.shell(linux, "exit 0").withLoopback(without);
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launch(launcher, profile)) {
            assertThat(running.takeLoopbackListener(0)).isEmpty();
            Optional<OwnedFd> second = running.takeLoopbackListener(1);
            assertThat(second).isPresent();
            second.get().close();
        }
    }

    @Test
    void whatNobodyTakesIsClosedWithTheSandbox() throws Exception {
        FdLeaks.watch();
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running =
                        launch(launcher, profile("exit 0", false, PROXY, LOW, PROXY6))) {
            assertThat(running.await()).isEqualTo(new Exit.Exited(0));
        }
        FdLeaks.assertNone();
    }

    private void reach(String family, IpAddress address) throws Exception {
        int domain = address.isV4() ? Linux.AF_INET : Linux.AF_INET6;
        String script = "family=" + family + " address=" + address + "\n" + SERVER;
        FdLeaks.watch();
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launch(launcher, profile(script, true))) {
            while (!running.takeStop()) {
                awaitMessage(running);
            }
            try (AskedSocket asked = running.askSocket(domain)) {
                while (!asked.isAnswered()) {
                    awaitMessage(running);
                }
                assertThat(asked.errno()).isZero();
                try (OwnedFd socket = asked.take()) {
                    if (!linux.connect(socket, new IpEndpoint(address, 8080))) {
                        linux.poll(List.of(new PollFd(socket, PollFd.POLLOUT)), MILLIS_MAX);
                    }
                    linux.writeFully(socket, new byte[] {7});
                    running.thaw();

                    assertThat(running.await()).isEqualTo(new Exit.Exited(7));
                }
            }
        }
        FdLeaks.assertNone();
    }

    private void awaitMessage(RunningSandbox running) throws Exception {
        int[] happened = linux.poll(List.of(running.statusToRead()), MILLIS_MAX);
        assertThat(happened[0]).as("in time").isEqualTo(PollFd.POLLIN);
        assertThat(running.nextExit()).isEmpty();
    }

    @Test
    void anAskedSocketReachesWhatTheAgentListensOn() throws Exception {
        reach("AF_INET", IpAddress.LOOPBACK_V4);
    }

    @Test
    void anAskedSocketOverIpv6ReachesWhatTheAgentListensOn() throws Exception {
        reach("AF_INET6", IpAddress.LOOPBACK_V6);
    }

    @Test
    void anAskedSocketNobodyWantsAnyMoreIsClosed() throws Exception {
        FdLeaks.watch();
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launch(launcher, profile("sleep 1000", true))) {
            AskedSocket first = running.askSocket(Linux.AF_INET);
            AskedSocket second = running.askSocket(Linux.AF_INET6);
            first.close();
            while (!second.isAnswered()) {
                awaitMessage(running);
            }
            second.close();

            assertThat(first.isAnswered()).isTrue();
        }
        FdLeaks.assertNone();
    }

    @Test
    void process1DiesRatherThanMakeASocketForARunThatPublishesNothing() throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launch(launcher, profile("sleep 1000", false, PROXY))) {
            running.askSocket(Linux.AF_INET);

            assertThatThrownBy(running::await)
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("killed");
        }
    }

    @Test
    void anOfflinePlanIsTheSamePlanWithoutTheStepsOfLoopback() throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux)) {
            Sandbox sandbox = new Sandbox(linux, launcher);
            LaunchPlan offline = sandbox.plan(TestProfiles.shell(linux, "exit 0"));
            LaunchPlan online = sandbox.plan(profile("exit 0", true, PROXY, LOW, PROXY6));

            List<String> expected = new ArrayList<>(steps(online));
            expected.removeIf(step -> step.startsWith("loop") || step.startsWith("listener on"));
            assertThat(steps(offline)).isEqualTo(expected);
            assertThat(steps(online).size() - expected.size()).isEqualTo(3 + 3 + 3 * 5);
            assertThat(offline.handed()).isEmpty();
            assertThat(steps(offline))
                    .noneMatch(step -> step.endsWith(" " + Call.SOCKET.number()))
                    .noneMatch(step -> step.endsWith(" " + Call.BIND.number()));
        }
    }

    /** What each is for, its operation and its call. */
    private static List<String> steps(LaunchPlan plan) {
        ByteBuffer in = ByteBuffer.wrap(plan.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < plan.stepCount(); i++) {
            int at = HEADER_BYTES + i * STEP_BYTES;
            String subject = plan.subjectOf(i).words();
            steps.add(subject + " op " + in.getShort(at) + " call " + in.getShort(at + 2));
        }
        return steps;
    }

    @Test
    void onlyPortsOfLoopbackAreListenedOnAndEachOnce() {
        IpAddress other = IpAddress.of(new byte[] {10, 0, 0, 1});
        List<List<IpEndpoint>> bad = List.of(
                List.of(new IpEndpoint(other, 80)),
                List.of(new IpEndpoint(IpAddress.LOOPBACK_V4, 0)),
                List.of(PROXY, LOW, PROXY));
        for (List<IpEndpoint> listeners : bad) {
            assertThatThrownBy(() -> new Loopback(listeners, false, true))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
