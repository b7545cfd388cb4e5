package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** TCP over loopback, epoll, splice and eventfd, against the real kernel. */
@Tag("process")
class InetTest {
    private static final int PATIENCE_MILLIS = 240_000;

    private final Linux linux = Linux.host();

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private void await(Fd fd, int events) throws ErrnoException {
        int[] happened = linux.poll(List.of(new PollFd(fd, events)), PATIENCE_MILLIS);
        assertThat(happened[0]).as("something happens in time").isNotZero();
    }

    private OwnedFd accept(OwnedFd listener) throws ErrnoException {
        await(listener, PollFd.POLLIN);
        return linux.accept(listener).orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Two ends over a loopback address of either family. */
    private SocketPair connected(IpAddress address) throws ErrnoException {
        try (OwnedFd listener = linux.listenTcp(new IpEndpoint(address, 0), 1)) {
            IpEndpoint place = linux.localEndpoint(listener).orElseThrow();
            OwnedFd client = linux.tcpSocket(Linux.family(address));
            linux.connect(client, place);
            OwnedFd server = accept(listener);
            await(client, PollFd.POLLOUT);
            assertThat(linux.socketError(client)).isZero();
            return new SocketPair(client, server);
        }
    }

    @Test
    void aListenerSaysWhatItIsAndWhere() throws ErrnoException {
        try (OwnedFd listener = linux.listenTcp(new IpEndpoint(IpAddress.LOOPBACK_V4, 0), 1)) {
            IpEndpoint place = linux.localEndpoint(listener).orElseThrow();

            assertThat(place.address()).isEqualTo(IpAddress.LOOPBACK_V4);
            assertThat(place.port()).isPositive();
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_DOMAIN))
                    .isEqualTo(Linux.AF_INET);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_TYPE))
                    .isEqualTo(Linux.SOCK_STREAM);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_PROTOCOL))
                    .isEqualTo(Linux.IPPROTO_TCP);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_ACCEPTCONN))
                    .isEqualTo(1);
        }
    }

    @Test
    void bothFamiliesConnect() throws ErrnoException {
        for (IpAddress address : List.of(IpAddress.LOOPBACK_V4, IpAddress.LOOPBACK_V6)) {
            try (SocketPair pair = connected(address)) {
                assertThat(linux.localEndpoint(pair.first()).orElseThrow().address())
                        .isEqualTo(address);
            }
        }
    }

    @Test
    void aUnixSocketHasNoEndpoint() throws ErrnoException {
        try (SocketPair pair = linux.socketpair(Linux.SOCK_STREAM)) {
            assertThat(linux.localEndpoint(pair.first())).isEmpty();
        }
    }

    @Test
    void nobodyListeningIsAnErrorOfTheSocket() throws Exception {
        // A port that is held, so that nobody else gets it meanwhile.
        try (Socket held = new Socket();
                OwnedFd client = linux.tcpSocket(Linux.AF_INET)) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            linux.connect(client, new IpEndpoint(IpAddress.LOOPBACK_V4, held.getLocalPort()));
            await(client, PollFd.POLLOUT);
            assertThat(linux.socketError(client)).isEqualTo(Errno.ECONNREFUSED);
        } catch (ErrnoException e) {
            assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED); // loopback may know at once
        }
    }

    @Test
    void peekedBytesStayAndDiscardedOnesAreGone() throws ErrnoException {
        try (SocketPair pair = connected(IpAddress.LOOPBACK_V4)) {
            byte[] room = new byte[10];
            assertThat(linux.recv(pair.second(), room, 0, 10, 0)).isEqualTo(Linux.WOULD_BLOCK);
            assertThat(linux.send(pair.first(), bytes("abcdef"), 0, 6)).isEqualTo(6);
            await(pair.second(), PollFd.POLLIN);

            assertThat(linux.recv(pair.second(), room, 2, 3, Linux.MSG_PEEK)).isEqualTo(3);
            assertThat(room).startsWith(0, 0, 'a', 'b', 'c', 0);
            assertThat(linux.discard(pair.second(), 4)).isEqualTo(4);
            assertThat(linux.recv(pair.second(), room, 0, 10, 0)).isEqualTo(2);
            assertThat(room).startsWith('e', 'f');
            linux.endWriting(pair.first());
            await(pair.second(), PollFd.POLLIN);
            assertThat(linux.recv(pair.second(), room, 0, 10, 0)).isZero();
        }
    }

    @Test
    void aResetReachesThePeer() throws ErrnoException {
        try (SocketPair pair = connected(IpAddress.LOOPBACK_V4)) {
            linux.resetOnClose(pair.first());
            pair.first().close();
            await(pair.second(), PollFd.POLLIN);

            assertThatThrownBy(() -> linux.recv(pair.second(), new byte[1], 0, 1, 0))
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET));
        }
    }

    @Test
    void spliceMovesBytesThroughAPipeToTheEnd() throws ErrnoException {
        try (SocketPair in = connected(IpAddress.LOOPBACK_V4);
                SocketPair out = connected(IpAddress.LOOPBACK_V6);
                Pipe pipe = linux.nonBlockingPipe(1 << 18)) {
            linux.sendAtOnce(in.first());
            assertThat(linux.splice(in.second(), pipe.write(), 100)).isEqualTo(Linux.WOULD_BLOCK);
            linux.send(in.first(), bytes("hello"), 0, 5);
            await(in.second(), PollFd.POLLIN);
            assertThat(linux.splice(in.second(), pipe.write(), 4)).isEqualTo(4);
            assertThat(linux.splice(pipe.read(), out.first(), 1 << 20)).isEqualTo(4);
            await(out.second(), PollFd.POLLIN);
            byte[] room = new byte[10];
            assertThat(linux.recv(out.second(), room, 0, 10, 0)).isEqualTo(4);
            assertThat(room).startsWith('h', 'e', 'l', 'l', 0);
            assertThat(linux.splice(in.second(), pipe.write(), 100)).isEqualTo(1);
            linux.endWriting(in.first());
            await(in.second(), PollFd.POLLIN);
            assertThat(linux.splice(in.second(), pipe.write(), 100)).isZero();
        }
    }

    @Test
    void epollTellsOnceWhatHappenedToWhom() throws ErrnoException {
        EpollEvents events = new EpollEvents(8);
        try (OwnedFd epoll = linux.epollCreate();
                OwnedFd eventfd = linux.eventfd();
                SocketPair pair = connected(IpAddress.LOOPBACK_V4)) {
            long data = 0x0123_4567_89ab_cdefL;
            linux.epollAdd(epoll, eventfd, Linux.EPOLLIN | Linux.EPOLLET, data);
            linux.epollAdd(epoll, pair.second(), Linux.EPOLLIN | Linux.EPOLLET, -2);
            assertThat(events.take(linux, epoll)).isZero();

            linux.signal(eventfd);
            linux.send(pair.first(), bytes("x"), 0, 1);
            await(epoll, PollFd.POLLIN);
            await(pair.second(), PollFd.POLLIN);
            assertThat(events.take(linux, epoll)).isEqualTo(2);
            assertThat(List.of(events.data(0), events.data(1)))
                    .containsExactlyInAnyOrder(data, -2L);
            assertThat(events.events(0)).isEqualTo(Linux.EPOLLIN);

            assertThat(events.take(linux, epoll)).isZero();
            linux.takeSignal(eventfd);
            linux.takeSignal(eventfd);
            linux.signal(eventfd);
            assertThat(events.take(linux, epoll)).isEqualTo(1);
        }
    }

    @Test
    void whatEpollIsToTellCanBeChangedAndWhatHoldsByThenIsTold() throws ErrnoException {
        EpollEvents events = new EpollEvents(8);
        try (OwnedFd epoll = linux.epollCreate();
                SocketPair pair = connected(IpAddress.LOOPBACK_V4)) {
            linux.epollAdd(epoll, pair.first(), Linux.EPOLLIN | Linux.EPOLLET, 1);
            assertThat(events.take(linux, epoll)).as("room alone is not told").isZero();

            int both = Linux.EPOLLIN | Linux.EPOLLOUT | Linux.EPOLLET;
            linux.epollModify(epoll, pair.first(), both, 2);

            assertThat(events.take(linux, epoll)).isEqualTo(1);
            assertThat(events.data(0)).isEqualTo(2);
            assertThat(events.events(0)).isEqualTo(Linux.EPOLLOUT);
            assertThat(events.take(linux, epoll)).isZero();
        }
    }

    @Test
    void theLimitOfOpenFilesCanBeRaisedToItsHardOne() throws ErrnoException {
        long hard = linux.raiseOpenFileLimit();

        assertThat(linux.openFileLimit().soft()).isEqualTo(hard);
        assertThat(linux.openFileLimit().hard()).isEqualTo(hard);
    }

    @Test
    void theMachineKnowsItsOwnAddresses() throws Exception {
        Linux linux = Linux.host();

        for (String own : new String[] {"127.0.0.1", "::ffff:127.0.0.1"}) {
            assertThat(linux.isOwnAddress(IpAddress.parse(own).orElseThrow()))
                    .as(own)
                    .isTrue();
        }
        for (String other : new String[] {"93.184.216.34", "2606:4700::1", "192.0.2.1"}) {
            assertThat(linux.isOwnAddress(IpAddress.parse(other).orElseThrow()))
                    .as(other)
                    .isFalse();
        }
    }
}
