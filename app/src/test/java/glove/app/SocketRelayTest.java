package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sandbox.Exit;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A relayed socket at the end of a run. */
@Tag("unit")
final class SocketRelayTest {
    private static final UnixPath INSIDE = UnixPath.of("inside");
    private static final UnixPath SERVICE = UnixPath.of("service");

    private final Linux linux = Linux.host();

    @TempDir
    Path directory;

    @Test
    void whoConnectedAndSentBeforeTheEndIsLetInAfterIt() throws Exception {
        UnixPath place = UnixPath.of(directory.toString());
        FdLeaks.watch();
        try (OwnedFd here = linux.open(place, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0);
                OwnedFd service = linux.listenUnix(here, SERVICE, 4)) {
            OwnedFd inside = linux.listenUnix(here, INSIDE, 4);
            OwnedFd host = linux.openat(here, SERVICE, OpenFlags.O_PATH, 0);
            try (SocketRelay relay = new SocketRelay(linux, host, inside)) {
                for (String word : new String[] {"first", "second"}) {
                    send(place.resolve(INSIDE), word);
                }
                relay.ended(new Exit.Exited(0));

                assertThat(received(service)).isEqualTo("first");
                assertThat(received(service)).isEqualTo("second");
                assertThat(linux.accept(service)).isEmpty();
            }
        }
        FdLeaks.assertNone();
    }

    private void send(UnixPath to, String word) throws Exception {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        try (OwnedFd client = linux.connectUnix(to)) {
            assertThat(linux.writeNow(client, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        }
    }

    private String received(OwnedFd service) throws Exception {
        byte[] buffer = new byte[64];
        try (OwnedFd connection = linux.accept(service).orElseThrow()) {
            int count = linux.readNow(connection, buffer, 0, buffer.length);
            assertThat(linux.readNow(connection, buffer, count, 1)).isZero();
            return new String(buffer, 0, count, StandardCharsets.UTF_8);
        }
    }
}
