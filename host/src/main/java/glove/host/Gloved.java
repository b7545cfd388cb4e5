package glove.host;

import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The program {@code gloved}. */
public final class Gloved {
    private static final String VERSION = "0.1.0";
    private static final int COMMAND_LINE_BYTES_MAX = 64 << 20; // the kernel's own limit is smaller
    private static final int OTHERS = 077;

    private Gloved() {}

    /** Serves; the process ends with its exit status. */
    public static void main(String[] args) {
        String lacks = Linux.lacks();
        if (!lacks.isEmpty()) {
            System.err.print("gloved: " + lacks + "\n");
            end(StartException.STATUS_FAILED);
        }
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            thrown.printStackTrace();
            end(StartException.STATUS_FAILED);
        });
        end(run(args.length));
    }

    /** halt, not exit: all that was opened is closed, and there are no hooks to run. */
    private static void end(int status) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(status);
    }

    private static int run(int count) {
        Linux linux = Linux.host();
        linux.umask(OTHERS);
        int status;
        try {
            DaemonOptions options = DaemonOptions.parse(arguments(linux, count));
            status = switch (options.asked()) {
                case HELP -> print(DaemonOptions.HELP);
                case VERSION -> print("gloved " + VERSION + "\n");
                case SERVE -> {
                    String manager = System.getenv("NOTIFY_SOCKET");
                    yield serve(linux, options, Optional.ofNullable(manager), Gloved::end);
                }
            };
        } catch (StartException e) { // there is no log yet
            System.err.print(DaemonLog.failure(e.getMessage()) + "\n");
            status = e.status();
        }
        if (status == StartException.STATUS_USAGE) {
            System.err.print("gloved: see 'gloved --help'\n");
        }
        return status;
    }

    private static int print(String text) {
        System.out.print(text);
        return 0;
    }

    /**
     * Serves until a signal comes; what the process ends with.
     *
     * @param manager who wants to know how it is: value of {@code NOTIFY_SOCKET}
     * @param end ends the process at once, when it does not end in order
     */
    static int serve(Linux linux, DaemonOptions options, Optional<String> manager, IntConsumer end)
            throws StartException {
        try (DaemonLog log = new DaemonLog(linux, BorrowedFd.STDERR, options.jsonLog())) {
            try {
                DaemonConfig config = options.configFile().isPresent()
                        ? read(linux, options.configFile().get())
                        : DaemonConfig.of(options.paths());
                new Daemon(linux, config, log, end).run(new ServiceNotice(linux, log, manager));
                return 0;
            } catch (StartException e) {
                log.error("failed", "why", e.getMessage());
                return e.status();
            } catch (OutOfMemoryError e) { // a JVM also says so when it gets no thread
                log.error(
                        "failed",
                        "why",
                        "there is no memory, or no more threads for this user (ulimit -u): "
                                + e.getMessage());
                return StartException.STATUS_FAILED;
            }
        }
    }

    private static DaemonConfig read(Linux linux, UnixPath path) throws StartException {
        byte[] json;
        try {
            json = ProtectedFile.read(
                    linux,
                    "the configuration",
                    path,
                    DaemonConfig.BYTES_MAX,
                    "write one, of mode 600: docs/gloved.md has an example from nothing");
        } catch (DurableFileException e) {
            throw StartException.usage(e.getMessage());
        }
        JsonProblems problems = JsonProblems.all(8);
        Optional<DaemonConfig> config = DaemonConfig.parse(json, problems);
        return config.map(read -> read.readFrom(path))
                .orElseThrow(() -> StartException.usage("the configuration '" + path + "': "
                        + String.join(
                                "; ",
                                problems.list().stream()
                                        .map(JsonProblem::toString)
                                        .toList())));
    }

    /** Byte for byte: the JVM's own decoding loses what is not text in its locale (proc(5)). */
    private static List<byte[]> arguments(Linux linux, int count) throws StartException {
        byte[] line;
        try {
            line = linux.readFile(UnixPath.of("/proc/self/cmdline"), COMMAND_LINE_BYTES_MAX);
        } catch (ErrnoException e) {
            throw StartException.failed("cannot read its own command line: " + e.getMessage());
        }
        List<byte[]> all = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < line.length; i++) {
            if (line[i] == 0) {
                all.add(Arrays.copyOfRange(line, start, i));
                start = i + 1;
            }
        }
        return all.subList(all.size() - count, all.size());
    }
}
