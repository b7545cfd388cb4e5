package glove.app;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/** The program {@code glove}: finds the verb. The only place that ends the JVM. */
public final class Glove {
    /** Of all programs of this build. */
    static final String VERSION = "0.1.0";

    private static final String HELP = """
            usage: glove VERB [OPTION...]

              exec        run a command contained; see 'glove exec --help'
              home        list and remove kept homes; see 'glove home --help'

              --version   print the version
              -h, --help  this text
            """;

    private Glove() {}

    /** Runs a verb; the process ends with its exit status. */
    public static void main(String[] args) {
        int status = run(args);
        System.out.flush();
        System.err.flush();
        // halt, not exit: there is no shutdown hook to run, and the agent's status is known.
        Runtime.getRuntime().halt(status);
    }

    private static int run(String[] args) {
        String verb = args.length == 0 ? "--help" : args[0];
        return switch (verb) {
            case "exec" -> exec(args.length);
            case "home" -> home(args.length);
            case "--version", "-V" -> say("glove " + VERSION + "\n");
            case "--help", "-h" -> say(HELP);
            default -> {
                System.err.print("glove: unknown verb '" + verb + "'; see 'glove --help'\n");
                yield 2;
            }
        };
    }

    private static int say(String text) {
        return Output.print(text);
    }

    private static int exec(int count) {
        Linux linux = Linux.host();
        try {
            Invocation invocation = Invocation.read(linux, count - 1);
            return new ExecVerb(linux, invocation).run();
        } catch (ErrnoException e) {
            new Notices("exec").say("cannot read its own command line: " + e.getMessage());
            return ExecVerb.EXIT_CANNOT_LAUNCH;
        }
    }

    private static int home(int count) {
        Linux linux = Linux.host();
        try {
            return new HomeVerb(linux, Invocation.read(linux, count - 1)).run();
        } catch (ErrnoException e) {
            new Notices("home").say("cannot read its own command line: " + e.getMessage());
            return 1;
        }
    }
}
