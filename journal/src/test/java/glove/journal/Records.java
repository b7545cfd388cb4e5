package glove.journal;

import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What tests of logs share: a small layout, texts as records, and memory that follows them. */
final class Records {
    static final String HEADER = "TESTLOG1";

    static final AppendLayout LAYOUT = new AppendLayout(
            "test store",
            HEADER,
            new AppendLayout.Bounds(64, 400, 10),
            AppendLayout.Parent.OWNER_ONLY);

    /** Where nobody waits for a disk: for what depends on how long others hold a lock. */
    static final Syscalls UNSYNCED =
            (call, a, b, c, d, e, f) -> call == Call.FSYNC || call == Call.FDATASYNC
                    ? 0
                    : Syscalls.host().call(call, a, b, c, d, e, f);

    private static final AppendLayout LARGE = new AppendLayout(
            "test store",
            HEADER,
            new AppendLayout.Bounds(64, 1 << 20, 10_000),
            AppendLayout.Parent.OWNER_ONLY);

    /** What memory holds: changed by the committer thread. */
    private final List<String> made = new ArrayList<>();

    /** What readers see. */
    private final List<String> published = new ArrayList<>();

    Records() {}

    /** Takes what a log holds. */
    static final class Reading implements AppendLog.Replay {
        final List<String> texts = new ArrayList<>();
        final List<Long> offsets = new ArrayList<>();
        long torn = -1;

        @Override
        public void record(long offset, byte[] payload) throws RecordException {
            String text = new String(payload, StandardCharsets.UTF_8);
            if (text.startsWith("bad")) {
                throw new RecordException("is bad");
            }
            texts.add(text);
            offsets.add(offset);
        }

        @Override
        public void end(long records, long tornBytes) {
            torn = tornBytes;
        }
    }

    /** A change that appends a text; its answer is the sequence. */
    Change<Long> text(String text) {
        return new Change<>() {
            private long number;

            @Override
            public Optional<byte[]> make(long sequence) {
                number = sequence;
                made.add(text);
                return Optional.of(text.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public Long done() {
                synchronized (published) {
                    published.add(text);
                }
                return number;
            }

            @Override
            public void undone() {
                String last = made.removeLast();
                if (!last.equals(text)) {
                    throw new IllegalStateException("undone in another order: " + last);
                }
            }
        };
    }

    List<String> made() {
        return made;
    }

    List<String> published() {
        synchronized (published) {
            return List.copyOf(published);
        }
    }

    static AppendLog open(Path file, AppendLog.Replay replay) throws AppendLogException {
        return open(Syscalls.host(), file, replay);
    }

    static AppendLog open(Syscalls kernel, Path file, AppendLog.Replay replay)
            throws AppendLogException {
        return open(kernel, file, LAYOUT, replay);
    }

    /** One with room for many records. */
    static AppendLog openLarge(Syscalls kernel, Path file, AppendLog.Replay replay)
            throws AppendLogException {
        return open(kernel, file, LARGE, replay);
    }

    private static AppendLog open(
            Syscalls kernel, Path file, AppendLayout layout, AppendLog.Replay replay)
            throws AppendLogException {
        return AppendLog.open(
                new Linux(kernel),
                UnixPath.of(file.toString()),
                layout,
                AppendLog.Opening.EITHER,
                replay);
    }

    /** What a log holds now. */
    static List<String> read(Path file) throws AppendLogException {
        Reading reading = new Reading();
        open(file, reading).close();
        return reading.texts;
    }

    /** A directory as such logs want it. */
    static Path directory(Path parent, String name) throws IOException {
        Path directory = Files.createDirectory(parent.resolve(name));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        return directory;
    }

    /** A file of some bytes, owner-only. */
    static void write(Path file, byte[] bytes) throws IOException {
        Files.deleteIfExists(file);
        Files.write(file, bytes);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
