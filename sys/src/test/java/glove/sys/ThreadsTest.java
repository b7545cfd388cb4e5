package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Memory and errno of a call belong to its thread. */
@Tag("process")
class ThreadsTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 2000;
    private static final long LIMIT_SECONDS = 300;

    private final Linux linux = Linux.host();

    @Test
    void threadsDoNotSeeEachOthersPathsBytesOrErrors() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> wrong = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                byte mark = (byte) i;
                wrong.add(threads.submit(mark % 2 == 0 ? () -> failures(mark) : bytes(mark)));
            }
            for (Future<Integer> thread : wrong) {
                assertThat(thread.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
            }
        }
    }

    /** Mistaken errors: half of these threads meet ENOENT, the others ENOTDIR. */
    private int failures(byte mark) {
        boolean missing = mark % 4 == 0;
        UnixPath path = UnixPath.of(missing ? "/missing" + mark : "/dev/null/" + mark);
        int wrong = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try {
                linux.stat(path);
                wrong++;
            } catch (ErrnoException e) {
                boolean right = e.errno() == (missing ? Errno.ENOENT : Errno.ENOTDIR)
                        && e.toString().contains("'" + path + "'");
                wrong += right ? 0 : 1;
            }
        }
        return wrong;
    }

    /** Bytes that are not those written. */
    private Callable<Integer> bytes(byte mark) {
        return () -> {
            int wrong = 0;
            try (Pipe pipe = linux.pipe()) {
                for (int i = 0; i < ROUNDS; i++) {
                    linux.writeFully(pipe.write(), new byte[] {mark, mark, mark});
                    for (byte b : linux.read(pipe.read(), 3)) {
                        wrong += b == mark ? 0 : 1;
                    }
                }
            }
            return wrong;
        };
    }
}
