package glove.app;

import glove.sys.ErrnoException;
import glove.sys.Linux;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The program {@code glove}: finds the verb. The only place that ends the JVM. */
public final class Glove {
    /** Of all programs of this build. */
    static final String VERSION = "0.1.0";

    static final String HELP = """
            usage: glove VERB [OPTION...]

              exec        run a command contained; see 'glove exec --help'
              run         ... an agent, with MCP tools it may use; see 'glove run --help'
              egress      show presets of destinations; see 'glove egress --help'
              doctor      try what works on this host; see 'glove doctor --help'
              home        list and remove kept homes; see 'glove home --help'
              tools       policies and pinned definitions; see 'glove tools --help'
              audit       check and show what runs recorded; see 'glove audit --help'
              policy      check and explain session policies; see 'glove policy --help'
              plan        check session plans; see 'glove plan --help'
              receipts    how sessions ended, verified; see 'glove receipts --help'
              init        expose a project to controllers; see 'glove init --help'
              exposure    list and take back what is exposed; see 'glove exposure --help'
              session     show the sessions of gloved; see 'glove session --help'
              image       make one that runs without JDK; see 'glove image --help'
              completion  print a completion script for bash, zsh or fish
              man         print the manual page

              --version   print the version and the digest of the build
              -h, --help  this text
            """;

    /** scripts/build makes 16 digits. */
    private static final int DIGEST_BYTES_MAX = 64;

    private static final int OTHERS = 077;

    private Glove() {}

    /** Runs a verb; the process ends with its exit status. */
    public static void main(String[] args) {
        LastResort resort = new LastResort(args);
        String lacks = Linux.lacks();
        if (!lacks.isEmpty()) { // which is the agent's status for nothing then
            System.err.print("glove: " + lacks + "\n");
            end(resort.status());
        }
        Thread.currentThread().setUncaughtExceptionHandler(resort);
        int status = run(args);
        System.out.flush();
        System.err.flush();
        end(status);
    }

    /** halt, not exit: there is no shutdown hook to run, and the status is known. */
    static void end(int status) {
        Runtime.getRuntime().halt(status);
    }

    private static int run(String[] args) {
        String verb = args.length == 0 ? "--help" : args[0];
        return switch (verb) {
            case "exec",
                    "run",
                    "egress",
                    "doctor",
                    "home",
                    "tools",
                    "audit",
                    "policy",
                    "plan",
                    "receipts",
                    "init",
                    "exposure",
                    "session" -> invoked(verb, args.length);
            case "image" -> ImageVerb.run(words(args));
            case "completion" -> CompletionVerb.run(words(args));
            case "man" -> ManPage.run(words(args));
            case "--version", "-V" -> version();
            case "--help", "-h" -> say(HELP);
            default -> {
                System.err.print("glove: unknown verb '" + verb + "'; see 'glove --help'\n");
                yield 2;
            }
        };
    }

    private static List<String> words(String[] args) {
        return List.of(args).subList(1, args.length);
    }

    /** The digest names the build's files, so that a report can say which build it is about. */
    private static int version() {
        try {
            byte[] digest = Linux.host().readFile(BuiltFiles.of("digest"), DIGEST_BYTES_MAX);
            String text = new String(digest, StandardCharsets.US_ASCII).strip();
            return say("glove " + VERSION + "\nbuild " + text + "\n");
        } catch (ErrnoException e) {
            System.err.print("glove: cannot read the digest of the build: " + e.getMessage() + "\n"
                    + "glove: try: scripts/build --force\n");
            say("glove " + VERSION + "\n");
            return 1;
        }
    }

    private static int say(String text) {
        return Output.print(text);
    }

    /**
     * A mask may keep others out of what Glove makes, not its owner: a directory made with umask
     * 777 could never be opened again. For all that is made, and so for the command, too.
     */
    private static void obeyUmaskForOthers(Linux linux) {
        int callers = linux.umask(OTHERS);
        linux.umask(callers & OTHERS);
    }

    /** Those that want the command line and the environment byte for byte. */
    private static int invoked(String verb, int count) {
        Linux linux = Linux.host();
        obeyUmaskForOthers(linux);
        try {
            Invocation invocation = Invocation.read(linux, count - 1);
            return switch (verb) {
                case "exec" -> new ExecVerb(linux, invocation, new Alone()).run();
                case "run" ->
                    new ExecVerb(linux, invocation, new ToolGateway(linux, invocation)).run();
                case "egress" -> new EgressVerb(linux, invocation).run();
                case "doctor" -> new DoctorVerb(linux, invocation).run();
                case "home" -> new HomeVerb(linux, invocation).run();
                case "tools" -> new ToolsVerb(linux, invocation).run();
                case "audit" -> new AuditVerb(linux, invocation).run();
                case "policy" -> new PolicyVerb(linux, invocation).run();
                case "plan" -> new PlanVerb(linux, invocation).run();
                case "init" -> new InitVerb(linux, invocation).run();
                case "exposure" -> new ExposureVerb(linux, invocation).run();
                case "session" -> new SessionVerb(linux, invocation).run();
                case "receipts" -> new ReceiptsVerb(linux, invocation).run();
                default -> throw new IllegalStateException(verb);
            };
        } catch (ErrnoException e) {
            new Notices(verb).say("cannot read its own command line: " + e.getMessage());
            boolean launches = verb.equals("exec") || verb.equals("run");
            return launches ? ExecVerb.EXIT_CANNOT_LAUNCH : 1;
        }
    }
}
