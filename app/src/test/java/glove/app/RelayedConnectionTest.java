package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What a sandbox sent before it ended. */
@Tag("unit")
final class RelayedConnectionTest {
    private static final int BYTES = 60_000;
    private static final long LATE_NANOS = 200_000_000;

    private final Linux linux = Linux.host();

    @TempDir
    Path directory;

    /** Each of Glove's writes is: together they take longer than it waits for who takes nothing. */
    @Test
    void whoTakesItGetsAllOfItHoweverLateGloveIs() throws Exception {
        Syscalls kernel = Syscalls.host();
        Linux late = new Linux((call, x, y, z, u, v, w) -> {
            if (call == Call.WRITE) {
                LockSupport.parkNanos(LATE_NANOS);
            }
            return kernel.call(call, x, y, z, u, v, w);
        });
        UnixPath place = UnixPath.of(directory.toString());
        UnixPath name = UnixPath.of("socket");
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd here = linux.open(place, flags, 0);
                OwnedFd listener = linux.listenUnix(here, name, 2);
                OwnedFd client = linux.connectUnix(place.resolve(name));
                RelayedConnection relay = relay(late, listener, place.resolve(name));
                OwnedFd outside = linux.accept(listener).orElseThrow()) {
            assertThat(linux.writeNow(client, new byte[BYTES], 0, BYTES)).isEqualTo(BYTES);
            linux.endWriting(client);

            RelayedConnection.passOutRest(late, List.of(relay));

            byte[] all = new byte[BYTES + 1];
            int got = 0;
            for (int more = 1; more > 0; got += more) {
                more = linux.readNow(outside, all, got, all.length - got);
            }
            assertThat(got).isEqualTo(BYTES);
        }
    }

    /** From who connected already to whom it connects. */
    private RelayedConnection relay(Linux late, OwnedFd listener, UnixPath to) throws Exception {
        OwnedFd inside = linux.accept(listener).orElseThrow();
        return new RelayedConnection(late, inside, linux.connectUnix(to));
    }
}
