package glove.sandbox;

import glove.sys.Call;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OpenFlags;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The steps of process 1 that set the loopback interface up (netdevice(7)) and listen on it, and
 * hand each listener out once. They stand before the agent's first step, so nothing of its can hold
 * a port; no listener sets SO_REUSEADDR or SO_REUSEPORT, so nothing can share one later (tcp(7)).
 */
final class LoopbackSteps {
    /** The first listener is handed out as this, the next as one more. Sockets are fewer. */
    static final int HANDED = 0x1_0000;

    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 04000;
    private static final int SOCK_CLOEXEC = 02000000;
    private static final int BACKLOG = 512;
    private static final int SIOCSIFFLAGS = 0x8914;
    private static final byte IFF_UP = 1;
    private static final int IFR_FLAGS = 16;

    /** plan.h: what the structure of any ioctl step has; the kernel reads less. */
    private static final int IOCTL_BYTES = 64;

    private LoopbackSteps() {}

    /** Adds them. {@code procView} is a proc that can be written to. */
    static void make(Steps init, Slot procView, Loopback loopback) {
        init.about("loopback interface");
        if (loopback.ipv6()) {
            enableIpv6(init, procView);
        }
        setUp(init);
        List<IpEndpoint> listeners = loopback.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            if (loopback.makes(listeners.get(i))) {
                listen(init, listeners.get(i), HANDED + i);
            }
        }
    }

    /** A kernel may be told to start interfaces without it (ipv6.disable_ipv6=1). */
    private static void enableIpv6(Steps init, Slot procView) {
        PlanWriter plan = init.plan();
        Slot file = init.get(
                Call.OPENAT,
                Arg.slot(procView),
                plan.text("sys/net/ipv6/conf/lo/disable_ipv6"),
                Arg.imm(OpenFlags.O_WRONLY | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
        Arg zero = plan.data("0".getBytes(StandardCharsets.US_ASCII));
        init.run(Call.WRITE, Arg.slot(file), zero, Arg.imm(zero.length()));
        init.close(file);
    }

    /** With the interface come its addresses. Flags it has anyway cannot be taken from it. */
    private static void setUp(Steps init) {
        byte[] request = Arrays.copyOf("lo".getBytes(StandardCharsets.US_ASCII), IOCTL_BYTES);
        request[IFR_FLAGS] = IFF_UP;
        Slot any = socket(init, Linux.AF_INET);
        init.run(Call.IOCTL, Arg.slot(any), Arg.imm(SIOCSIFFLAGS), init.plan().data(request));
        init.close(any);
    }

    private static void listen(Steps init, IpEndpoint endpoint, int knownAs) {
        init.about("listener on " + endpoint);
        Slot listener = socket(init, endpoint.address().isV4() ? Linux.AF_INET : Linux.AF_INET6);
        Arg address = init.plan().data(Linux.sockaddr(endpoint));
        init.run(Call.BIND, Arg.slot(listener), address, Arg.imm(address.length()));
        init.run(Call.LISTEN, Arg.slot(listener), Arg.imm(BACKLOG));
        init.handOutListener(listener, knownAs, endpoint);
        init.close(listener);
    }

    private static Slot socket(Steps init, int domain) {
        Arg type = Arg.imm(SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC);
        return init.get(Call.SOCKET, Arg.imm(domain), type, Arg.ZERO);
    }
}
