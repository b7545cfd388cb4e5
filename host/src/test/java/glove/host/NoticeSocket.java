package glove.host;

import glove.sys.Call;
import glove.sys.Syscalls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a service manager listens on: a datagram socket with a name, which Java has none of. Open as
 * long as the process. Confined to one thread.
 */
final class NoticeSocket {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int FAMILY_BYTES = 2;
    private static final int BYTES_MAX = 4096;

    private final long fd;
    private final MemorySegment memory = Arena.global().allocate(BYTES_MAX);

    private NoticeSocket(long fd) {
        this.fd = fd;
    }

    /** With a name that nothing has yet, of 100 bytes at most (unix(7)). */
    static NoticeSocket bind(Path path) throws IOException {
        NoticeSocket socket = new NoticeSocket(
                Syscalls.host().call(Call.SOCKET, AF_UNIX, SOCK_DGRAM, 0, 0, 0, 0));
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        socket.memory.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        socket.memory.asSlice(FAMILY_BYTES).copyFrom(MemorySegment.ofArray(name));
        int length = FAMILY_BYTES + name.length;
        long result = Syscalls.host()
                .call(Call.BIND, socket.fd, socket.memory.address(), length, 0, 0, 0);
        if (socket.fd < 0 || result < 0) {
            throw new IOException("no socket at " + path + ": " + result);
        }
        return socket;
    }

    /** First lines of what came since the last time, in order. */
    List<String> received() {
        List<String> all = new ArrayList<>();
        for (long n = receive(); n > 0; n = receive()) {
            byte[] bytes = memory.asSlice(0, n).toArray(ValueLayout.JAVA_BYTE);
            all.add(new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse(""));
        }
        return all;
    }

    private long receive() {
        return Syscalls.host()
                .call(Call.RECVFROM, fd, memory.address(), BYTES_MAX, MSG_DONTWAIT, 0, 0);
    }
}
