package glove.sandbox;

import glove.sys.Call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of process 1 that make listening Unix sockets (unix(7)) in a small filesystem of their
 * own and hand them out; {@link RootSteps} puts each at its path.
 */
final class SocketSteps {
    /** The first is handed out as this, the next as one more. */
    static final int HANDED = 1;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 04000;
    private static final int SOCK_CLOEXEC = 02000000;
    private static final int BACKLOG = 64;
    private static final long RESTRICTIONS = Mounts.NOSUID | Mounts.NODEV | Mounts.NOEXEC;

    private SocketSteps() {}

    /** Detached, one tree a socket, in order. */
    static List<Slot> make(Steps init, List<AgentSocket> sockets) {
        PlanWriter plan = init.plan();
        Mounts mounts = new Mounts(init);
        init.about("sockets");
        Slot directory = mounts.filesystem(
                "tmpfs", RESTRICTIONS, "size", "64k", "nr_inodes", "256", "mode", "0755");
        init.run(Call.FCHDIR, Arg.slot(directory));
        init.run(Call.UMASK, Arg.ZERO); // to connect takes the right to write
        List<Slot> trees = new ArrayList<>();
        for (int i = 0; i < sockets.size(); i++) {
            init.about("socket", sockets.get(i).path());
            String name = Integer.toString(i);
            Slot listener = init.get(
                    Call.SOCKET,
                    Arg.imm(AF_UNIX),
                    Arg.imm(SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC),
                    Arg.ZERO);
            Arg address = plan.data(address(name));
            init.run(Call.BIND, Arg.slot(listener), address, Arg.imm(address.length()));
            init.run(Call.LISTEN, Arg.slot(listener), Arg.imm(BACKLOG));
            init.handOut(listener, HANDED + i);
            init.close(listener);
            trees.add(mounts.clonePath(Arg.slot(directory), name));
        }
        init.run(Call.UMASK, Arg.imm(022));
        init.close(directory);
        return trees;
    }

    /** struct sockaddr_un of a path in the working directory, with its NUL. */
    private static byte[] address(String name) {
        byte[] path = name.getBytes(StandardCharsets.US_ASCII);
        byte[] address = new byte[Short.BYTES + path.length + 1];
        address[0] = AF_UNIX;
        System.arraycopy(path, 0, address, Short.BYTES, path.length);
        return address;
    }
}
