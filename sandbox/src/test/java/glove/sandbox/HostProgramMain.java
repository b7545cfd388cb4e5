package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.UnixPath;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs one host program in a JVM of its own, for tests that need another identity or kill the JVM:
 * passes the program's output through and says on its own standard output how it ended.
 *
 * <p>Arguments: {@code [path=DIR:DIR] [cwd=DIR] [env=NAME=VALUE]... [end=READY] [input=MILLIS]
 * [sigterm=MILLIS] -- PROGRAM ARG...}. With {@code end} the program is ended in order once it has
 * printed that line, in these times.
 */
final class HostProgramMain {
    private static final int CHUNK = 65536;
    private static final long CLOSE_MILLIS = 240_000;

    private final Linux linux = Linux.host();
    private final List<UnixPath> path = new ArrayList<>();
    private final List<byte[]> environment = new ArrayList<>();
    private final PrintStream out;
    private final PrintStream err;
    private UnixPath directory = UnixPath.of(".");
    private String ready = "";
    private long inputEnd = OrderlyEnd.INPUT_END_MILLIS;
    private long sigterm = OrderlyEnd.SIGTERM_MILLIS;

    private HostProgramMain(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) throws Exception {
        new HostProgramMain(System.out, System.err).run(List.of(args));
    }

    private void run(List<String> args) throws Exception {
        int end = args.indexOf("--");
        for (String option : args.subList(0, end)) {
            String value = option.substring(option.indexOf('=') + 1);
            switch (option.substring(0, option.indexOf('='))) {
                case "cwd" -> directory = UnixPath.of(value);
                case "env" -> environment.add(value.getBytes(StandardCharsets.UTF_8));
                case "end" -> ready = value + "\n";
                case "input" -> inputEnd = Long.parseLong(value);
                case "sigterm" -> sigterm = Long.parseLong(value);
                default -> {
                    for (String each : value.split(":")) {
                        path.add(UnixPath.of(each));
                    }
                }
            }
        }
        List<byte[]> argv = new ArrayList<>();
        for (String word : args.subList(end + 1, args.size())) {
            argv.add(word.getBytes(StandardCharsets.UTF_8));
        }
        try (Launcher launcher = TestProfiles.launcher(linux);
                OwnedFd careless = linux.open(UnixPath.of("/dev/null"), 0, 0)) {
            linux.fcntl(careless, Linux.F_SETFD, 0); // survives an exec, were it not for Glove
            HostPrograms programs = HostPrograms.of(linux, launcher);
            linux.raiseOpenFileLimit(); // as a run with egress does: it is not to be inherited
            HostProgram program = new HostProgramLookup(linux, path)
                    .find("upstream 'files'", argv, environment, directory);
            out.println(watch(programs.launch(program)));
        } catch (Refusal e) {
            out.println("refused " + e.exitStatus() + ": " + e.getMessage() + " | " + e.hints());
        } catch (LaunchException e) {
            out.println("failed: " + e.getMessage());
        }
    }

    private String watch(RunningProgram running) throws ErrnoException, LaunchException {
        try (running) {
            running.setCloseMillis(CLOSE_MILLIS);
            String printed = "";
            boolean outEnded = false;
            boolean errEnded = false;
            for (; ; ) {
                List<PollFd> awaited = new ArrayList<>(List.of(running.statusToRead()));
                if (!outEnded) {
                    awaited.add(new PollFd(running.stdout(), PollFd.POLLIN));
                }
                if (!errEnded) {
                    awaited.add(new PollFd(running.stderr(), PollFd.POLLIN));
                }
                linux.poll(awaited, -1);
                String more = read(running.stdout(), outEnded);
                outEnded |= more.equals(END);
                printed += more.equals(END) ? "" : show(more, out);
                String wrong = read(running.stderr(), errEnded);
                errEnded |= wrong.equals(END);
                show(wrong.equals(END) ? "" : wrong, err);
                Optional<Exit> exit = running.nextExit();
                if (exit.isPresent()) {
                    show(rest(running.stdout(), outEnded), out);
                    show(rest(running.stderr(), errEnded), err);
                    return exit.get().toString();
                }
                if (!ready.isEmpty() && printed.contains(ready)) {
                    long start = System.nanoTime();
                    OrderlyEnd.of(linux, List.of(running), inputEnd, sigterm);
                    return "ended in " + (System.nanoTime() - start) / 1_000_000 + " ms";
                }
            }
        }
    }

    private static final String END = "\0end";

    private String rest(OwnedFd fd, boolean ended) throws ErrnoException {
        StringBuilder all = new StringBuilder();
        String more = read(fd, ended);
        while (!more.isEmpty() && !more.equals(END)) {
            all.append(more);
            more = read(fd, ended);
        }
        return all.toString();
    }

    /** What there is; empty when there is nothing yet. */
    private String read(OwnedFd fd, boolean ended) throws ErrnoException {
        byte[] buffer = new byte[CHUNK];
        int count = ended ? 0 : linux.readNow(fd, buffer, 0, CHUNK);
        if (count == 0) {
            return END;
        }
        return count < 0 ? "" : new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
    }

    private static String show(String text, PrintStream stream) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        stream.write(bytes, 0, bytes.length);
        stream.flush();
        return text;
    }
}
