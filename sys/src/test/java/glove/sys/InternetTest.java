package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Sockets of the internet families, on this machine's loopback. */
@Tag("process")
class InternetTest {
    private static final long MILLIS_MAX = 5_000;

    private final Linux linux = Linux.host();

    private OwnedFd listener(IpAddress address) throws ErrnoException {
        OwnedFd listener = linux.streamSocket(address.isV4() ? Linux.AF_INET : Linux.AF_INET6);
        linux.bind(listener, new IpEndpoint(address, 0));
        linux.listen(listener, 4);
        return listener;
    }

    private void connectAndTalk(IpAddress address) throws ErrnoException {
        try (OwnedFd listener = listener(address);
                OwnedFd client =
                        linux.streamSocket(address.isV4() ? Linux.AF_INET : Linux.AF_INET6)) {
            IpEndpoint bound = linux.getsockname(listener);
            assertThat(bound.address()).isEqualTo(address);
            assertThat(bound.port()).isPositive();

            if (!linux.connect(client, bound)) {
                linux.poll(List.of(new PollFd(client, PollFd.POLLOUT)), MILLIS_MAX);
            }
            assertThat(linux.getsockopt(client, Linux.SOL_SOCKET, Linux.SO_ERROR))
                    .isZero();
            linux.poll(List.of(new PollFd(listener, PollFd.POLLIN)), MILLIS_MAX);
            try (OwnedFd served = linux.accept(listener).orElseThrow()) {
                linux.writeFully(served, new byte[] {42});
                linux.poll(List.of(new PollFd(client, PollFd.POLLIN)), MILLIS_MAX);
                assertThat(linux.read(client, 8)).containsExactly(42);
                assertThat(linux.getsockname(served)).isEqualTo(bound);
            }
        }
    }

    @Test
    void aStreamOverIpv4IsBoundListenedOnConnectedToAndRead() throws Exception {
        connectAndTalk(IpAddress.LOOPBACK_V4);
    }

    @Test
    void aStreamOverIpv6IsBoundListenedOnConnectedToAndRead() throws Exception {
        connectAndTalk(IpAddress.LOOPBACK_V6);
    }

    @Test
    void optionsTellWhatASocketIs() throws Exception {
        try (OwnedFd listener = listener(IpAddress.LOOPBACK_V4);
                OwnedFd other = linux.streamSocket(Linux.AF_INET6)) {
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_DOMAIN))
                    .isEqualTo(Linux.AF_INET);
            assertThat(linux.getsockopt(other, Linux.SOL_SOCKET, Linux.SO_DOMAIN))
                    .isEqualTo(Linux.AF_INET6);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_TYPE))
                    .isEqualTo(Linux.SOCK_STREAM);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_PROTOCOL))
                    .isEqualTo(Linux.IPPROTO_TCP);
            assertThat(linux.getsockopt(listener, Linux.SOL_SOCKET, Linux.SO_ACCEPTCONN))
                    .isEqualTo(1);
            assertThat(linux.getsockopt(other, Linux.SOL_SOCKET, Linux.SO_ACCEPTCONN))
                    .isZero();
            linux.setsockopt(other, Linux.SOL_SOCKET, Linux.SO_REUSEADDR, 1);
            assertThat(linux.getsockopt(other, Linux.SOL_SOCKET, Linux.SO_REUSEADDR))
                    .isEqualTo(1);
        }
    }

    @Test
    void aTakenPortIsToldAsSuch() throws Exception {
        try (OwnedFd first = listener(IpAddress.LOOPBACK_V4);
                OwnedFd second = linux.streamSocket(Linux.AF_INET)) {
            IpEndpoint taken = linux.getsockname(first);

            ErrnoException e =
                    catchThrowableOfType(ErrnoException.class, () -> linux.bind(second, taken));

            assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE);
            assertThat(e.getMessage()).contains(taken.toString());
        }
    }

    @Test
    void theNameOfAUnixSocketIsNoEndpoint() throws Exception {
        try (SocketPair pair = linux.socketpair(Linux.SOCK_STREAM)) {
            ErrnoException e = catchThrowableOfType(
                    ErrnoException.class, () -> linux.getsockname(pair.first()));

            assertThat(e.errno()).isEqualTo(Errno.EAFNOSUPPORT);
        }
    }

    @Test
    void aRefusedConnectionIsTold() throws Exception {
        IpEndpoint unused;
        try (OwnedFd listener = listener(IpAddress.LOOPBACK_V4)) {
            unused = linux.getsockname(listener);
        }
        try (OwnedFd client = linux.streamSocket(Linux.AF_INET)) {
            int error;
            try {
                assertThat(linux.connect(client, unused)).isFalse();
                linux.poll(List.of(new PollFd(client, PollFd.POLLOUT)), MILLIS_MAX);
                error = linux.getsockopt(client, Linux.SOL_SOCKET, Linux.SO_ERROR);
            } catch (ErrnoException e) {
                error = e.errno();
            }

            assertThat(error).isEqualTo(Errno.ECONNREFUSED);
        }
    }
}
