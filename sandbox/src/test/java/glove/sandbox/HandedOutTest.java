package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.SocketPair;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** Messages a sandbox could send if it lied: each ends the run, and nothing stays open. */
@Tag("process")
final class HandedOutTest {
    private static final int NUMBER = 7;
    private static final int SOCKET = 254;
    private static final int SOCKET6 = 255;

    private final Linux linux = Linux.host();

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingIsOpen() {
        FdLeaks.assertNone();
    }

    private static LaunchStatus message(int stage, int value, int errno) {
        return new LaunchStatus(LaunchStatus.HANDED, stage, value, errno);
    }

    private static LaunchStatus planned(int value) {
        return message(LaunchStatus.STAGE_INIT, value, 0);
    }

    private static LaunchStatus answer(int value) {
        return message(LaunchStatus.STAGE_WAIT, value, 0);
    }

    private OwnedFd listener(IpAddress address) throws ErrnoException {
        return linux.listenTcp(new IpEndpoint(address, 0), 1);
    }

    private IpEndpoint endpoint(OwnedFd socket) throws ErrnoException {
        return linux.localEndpoint(socket).orElseThrow();
    }

    private HandedOut promising(IpEndpoint endpoint) {
        return new HandedOut(linux, List.of(new HandOut(NUMBER, Optional.of(endpoint))));
    }

    private static void assertEndsTheRun(HandedOut handed, LaunchStatus message, OwnedFd fd) {
        assertThatThrownBy(() -> handed.receive(message, Optional.of(fd)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("the run was ended");
    }

    @Test
    void thePromisedListenerIsTakenOnce() throws Exception {
        OwnedFd made = listener(IpAddress.LOOPBACK_V4);
        IpEndpoint endpoint = endpoint(made);
        try (HandedOut handed = promising(endpoint)) {
            assertThatThrownBy(handed::requireAll).isInstanceOf(LaunchException.class);
            handed.receive(planned(NUMBER), Optional.of(made));
            handed.requireAll();
            try (OwnedFd taken = handed.take(NUMBER)) {
                assertThat(endpoint(taken)).isEqualTo(endpoint);
            }
        }
    }

    @Test
    void aNumberNobodyPromisedEndsTheRun() throws Exception {
        OwnedFd made = listener(IpAddress.LOOPBACK_V4);
        try (HandedOut handed = promising(endpoint(made))) {
            assertEndsTheRun(handed, planned(NUMBER + 1), made);
        }
    }

    @Test
    void theSameNumberTwiceEndsTheRun() throws Exception {
        OwnedFd made = listener(IpAddress.LOOPBACK_V4);
        OwnedFd again = linux.dup(made);
        try (HandedOut handed = promising(endpoint(made))) {
            handed.receive(planned(NUMBER), Optional.of(made));
            assertEndsTheRun(handed, planned(NUMBER), again);
        }
    }

    @Test
    void aListenerOnAnotherPortOrAddressOrFamilyEndsTheRun() throws Exception {
        IpEndpoint elsewhere = new IpEndpoint(IpAddress.LOOPBACK_V4, 1);
        try (HandedOut handed = promising(elsewhere)) {
            assertEndsTheRun(handed, planned(NUMBER), listener(IpAddress.LOOPBACK_V4));
        }
        OwnedFd everywhere = listener(IpAddress.of(new byte[4]));
        int port = endpoint(everywhere).port();
        try (HandedOut handed = promising(new IpEndpoint(IpAddress.LOOPBACK_V4, port))) {
            assertEndsTheRun(handed, planned(NUMBER), everywhere);
        }
        OwnedFd six = listener(IpAddress.LOOPBACK_V6);
        int portOfSix = endpoint(six).port();
        try (HandedOut handed = promising(new IpEndpoint(IpAddress.LOOPBACK_V4, portOfSix))) {
            assertEndsTheRun(handed, planned(NUMBER), six);
        }
    }

    @Test
    void whatDoesNotListenOrIsNoTcpSocketEndsTheRun() throws Exception {
        OwnedFd listener = listener(IpAddress.LOOPBACK_V4);
        OwnedFd connected = linux.tcpSocket(Linux.AF_INET);
        linux.connect(connected, endpoint(listener));
        try (HandedOut handed = promising(endpoint(connected));
                listener) {
            assertEndsTheRun(handed, planned(NUMBER), connected);
        }
        IpEndpoint any = new IpEndpoint(IpAddress.LOOPBACK_V4, 80);
        try (HandedOut handed = promising(any);
                SocketPair pair = linux.socketpair(Linux.SOCK_STREAM)) {
            assertEndsTheRun(handed, planned(NUMBER), pair.first().release());
        }
        try (HandedOut handed = promising(any)) {
            assertEndsTheRun(handed, planned(NUMBER), linux.memfdCreate("no socket"));
        }
    }

    @Test
    void aDescriptorWithAnotherMessageOrAMessageWithoutOneEndsTheRun() throws Exception {
        OwnedFd made = listener(IpAddress.LOOPBACK_V4);
        try (HandedOut handed = promising(endpoint(made))) {
            LaunchStatus exited =
                    new LaunchStatus(LaunchStatus.EXITED, LaunchStatus.STAGE_WAIT, NUMBER, 0);
            assertEndsTheRun(handed, exited, made);
            assertThatThrownBy(() -> handed.receive(planned(NUMBER), Optional.empty()))
                    .isInstanceOf(LaunchException.class);
        }
    }

    @Test
    void answersComeInTheOrderOfAskingOrEndTheRun() throws Exception {
        try (HandedOut handed = new HandedOut(linux, List.of())) {
            AskedSocket first = handed.ask(Linux.AF_INET);
            AskedSocket second = handed.ask(Linux.AF_INET6);
            AskedSocket third = handed.ask(Linux.AF_INET);

            handed.receive(answer(SOCKET), Optional.of(linux.tcpSocket(Linux.AF_INET)));
            handed.receive(
                    message(LaunchStatus.STAGE_WAIT, SOCKET6, Errno.EAFNOSUPPORT),
                    Optional.empty());
            assertEndsTheRun(handed, answer(SOCKET6), linux.tcpSocket(Linux.AF_INET6));

            assertThat(first.isAnswered()).isTrue();
            assertThat(second.errno()).isEqualTo(Errno.EAFNOSUPPORT);
            assertThat(third.isAnswered()).isFalse();
            first.take().close();
        }
    }

    @Test
    void anAnswerNobodyAskedForOrThatIsNoFreshSocketEndsTheRun() throws Exception {
        try (HandedOut handed = new HandedOut(linux, List.of())) {
            assertEndsTheRun(handed, answer(SOCKET), linux.tcpSocket(Linux.AF_INET));
            handed.ask(Linux.AF_INET);
            assertEndsTheRun(handed, answer(SOCKET), linux.tcpSocket(Linux.AF_INET6));
            handed.ask(Linux.AF_INET);
            assertEndsTheRun(handed, answer(SOCKET), listener(IpAddress.LOOPBACK_V4));
            handed.ask(Linux.AF_INET);
            assertThatThrownBy(() -> handed.receive(answer(SOCKET), Optional.empty()))
                    .isInstanceOf(LaunchException.class);
        }
    }
}
