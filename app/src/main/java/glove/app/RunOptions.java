package glove.app;

import glove.gateway.PromptRule;
import glove.gateway.ResourceRule;
import glove.gateway.ToolSeparator;
import glove.gateway.UpstreamSpec;
import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The options {@code glove run} has beside those of {@code exec}, parsed and nothing more (sheet 80
 * §3). Upstreams may be spoken of before they are named. Confined to one thread.
 */
final class RunOptions {
    static final String SEE_HELP = "glove run --help";

    /** Keys of {@code --upstream-sandbox} and the options of exec they are. */
    private static final String[][] SANDBOX_KEYS = {
        {"workspace", "--workspace="},
        {"read", "--read="},
        {"write", "--write="},
        {"tool", "--tool="},
        {"cache", "--cache="},
        {"env", "--env="},
        {"egress", "--egress-allow="},
    };

    /** What an option says of an upstream. */
    private record About(String option, String name, Optional<byte[]> rest) {}

    final Map<String, UpstreamOptions> upstreams = new LinkedHashMap<>();
    final List<String> allowed = new ArrayList<>();
    final List<String> allowedArguments = new ArrayList<>();
    final List<ResourceRule> resources = new ArrayList<>();
    final List<PromptRule> prompts = new ArrayList<>();
    final Set<String> completion = new HashSet<>();
    final Set<String> sampling = new HashSet<>();
    final Set<String> elicitation = new HashSet<>();
    final Set<String> roots = new HashSet<>();
    Optional<UnixPath> policy = Optional.empty();
    ToolSeparator separator = ToolSeparator.UNDERSCORES;
    boolean requiresAll;
    boolean requiresPins;
    boolean recordsArguments;
    boolean speaksOnStreams;

    private final List<About> abouts = new ArrayList<>();

    /** Takes an option; false when it is none of these. */
    boolean take(OptionWords option) throws Refusal {
        String name = option.name();
        switch (name) {
            case "--upstream" -> addUpstream(option.value());
            case "--upstream-env" -> about(name, option.value(), true);
            case "--upstream-cwd" -> about(name, option.value(), true);
            case "--upstream-sandbox" -> about(name, option.value(), false);
            case "--allow" -> allowed.add(option.text());
            case "--allow-arg" -> allowedArguments.add(option.text());
            case "--policy" -> policy = Optional.of(once(name, option.path()));
            case "--allow-resources" -> about(name, option.value(), false);
            case "--allow-prompts" -> about(name, option.value(), false);
            case "--allow-completion" -> about(name, option.value(), false);
            case "--allow-sampling" -> about(name, option.value(), false);
            case "--allow-elicitation" -> about(name, option.value(), false);
            case "--allow-roots" -> about(name, option.value(), false);
            case "--no-prefix" -> about(name, option.value(), false);
            case "--tool-separator" -> separator = separator(option.text());
            case "--require-all" -> requiresAll = option.flag();
            case "--pin-required" -> requiresPins = option.flag();
            case "--audit-arguments" -> recordsArguments = option.flag();
            case "--mcp-stdio" -> speaksOnStreams = option.flag();
            default -> {
                return false;
            }
        }
        return true;
    }

    private static ToolSeparator separator(String text) throws Refusal {
        Optional<ToolSeparator> known = ToolSeparator.of(text);
        if (known.isEmpty()) {
            throw new Refusal(
                    "--tool-separator '" + UnixPath.of(text) + "' is none of '__', '.', '-' and "
                            + "'_': clients would not take names with it",
                    "--tool-separator .");
        }
        return known.get();
    }

    private UnixPath once(String name, UnixPath value) throws Refusal {
        if (policy.isPresent()) {
            throw new Refusal(name + " is given twice", "put the rules into one file");
        }
        return value;
    }

    /** {@code NAME=PROG[,ARG...]}: a comma separates, unless a backslash stands before it. */
    private void addUpstream(byte[] value) throws Refusal {
        int equals = OptionWords.indexOf(value, '=');
        String shown = "--upstream '" + UnixPath.of(value) + "'";
        if (equals < 0) {
            throw new Refusal(shown + " has no '='", "--upstream NAME=PROGRAM,ARG,...");
        }
        String name = text(Arrays.copyOf(value, equals));
        String complaint = UpstreamSpec.complaint(name);
        if (!complaint.isEmpty()) {
            throw new Refusal(shown + ": " + complaint, "--upstream files=PROGRAM,ARG,...");
        }
        List<byte[]> argv = pieces(Arrays.copyOfRange(value, equals + 1, value.length), ',');
        if (argv.get(0).length == 0) {
            throw new Refusal(
                    shown + " names no program", "--upstream " + name + "=PROGRAM,ARG,...");
        }
        if (upstreams.put(name, new UpstreamOptions(name, argv)) != null) {
            throw new Refusal(
                    "--upstream " + name + ": two upstreams have that name",
                    "--upstream " + name + "2=PROGRAM,ARG,... for the second");
        }
    }

    /** A backslash in front of the separator makes it a letter; all others are letters. */
    private static List<byte[]> pieces(byte[] text, char separator) {
        List<byte[]> all = new ArrayList<>();
        byte[] piece = new byte[text.length];
        int length = 0;
        for (int i = 0; i < text.length; i++) {
            boolean escaped = text[i] == '\\' && i + 1 < text.length && text[i + 1] == separator;
            if (escaped) {
                piece[length++] = text[++i];
            } else if (text[i] == separator) {
                all.add(Arrays.copyOf(piece, length));
                length = 0;
            } else {
                piece[length++] = text[i];
            }
        }
        all.add(Arrays.copyOf(piece, length));
        return all;
    }

    /** {@code NAME[:REST]}. */
    private void about(String option, byte[] value, boolean isRestNeeded) throws Refusal {
        int colon = OptionWords.indexOf(value, ':');
        if (colon < 0 && isRestNeeded) {
            throw new Refusal(
                    option + " '" + UnixPath.of(value) + "' has no ':'",
                    option + " UPSTREAM:" + (option.equals("--upstream-cwd") ? "PATH" : "VAR"));
        }
        abouts.add(
                colon < 0
                        ? new About(option, text(value), Optional.empty())
                        : new About(
                                option,
                                text(Arrays.copyOf(value, colon)),
                                Optional.of(Arrays.copyOfRange(value, colon + 1, value.length))));
    }

    /** All are read: those about upstreams are given to these. */
    void finish() throws Refusal {
        for (About about : abouts) {
            UpstreamOptions upstream = require(about.option, about.name);
            switch (about.option) {
                case "--upstream-env" -> addVariable(upstream, about.rest.orElseThrow());
                case "--upstream-cwd" -> setDirectory(upstream, about.rest.orElseThrow());
                case "--upstream-sandbox" -> addSandbox(upstream, about.rest);
                case "--allow-resources" ->
                    resources.add(new ResourceRule(upstream.name, restText(about)));
                case "--allow-prompts" ->
                    prompts.add(new PromptRule(upstream.name, restText(about)));
                case "--allow-completion" -> completion.add(alone(about));
                case "--allow-sampling" -> sampling.add(alone(about));
                case "--allow-elicitation" -> elicitation.add(alone(about));
                case "--allow-roots" -> roots.add(alone(about));
                default -> setBare(upstream, about);
            }
        }
        abouts.clear();
        for (UpstreamOptions upstream : upstreams.values()) {
            if (separator.isIn(upstream.name)) {
                throw new Refusal(
                        "--tool-separator '" + separator.text() + "': the name of "
                                + upstream.subject() + " holds it, so its tools could be taken "
                                + "for another's",
                        "give the upstream another name, or leave out --tool-separator");
            }
        }
    }

    /** The upstream of that name; a rule for another would have no effect. */
    UpstreamOptions require(String option, String name) throws Refusal {
        UpstreamOptions upstream = upstreams.get(name);
        if (upstream == null) {
            StringBuilder known = new StringBuilder();
            for (String one : upstreams.keySet()) {
                known.append(known.isEmpty() ? "" : ", ").append(one);
            }
            throw new Refusal(
                    option + ": no upstream is named '" + UnixPath.of(name) + "'"
                            + (known.isEmpty() ? "" : ", only " + known),
                    "--upstream NAME=PROGRAM,ARG,...");
        }
        return upstream;
    }

    private static void addVariable(UpstreamOptions upstream, byte[] rest) throws Refusal {
        int equals = OptionWords.indexOf(rest, '=');
        if (rest.length == 0 || equals == 0) {
            throw new Refusal(
                    "--upstream-env " + upstream.name + ": it names no variable",
                    "--upstream-env " + upstream.name + ":VAR, or VAR=VALUE");
        }
        (equals < 0 ? upstream.copiedVariables : upstream.setVariables).add(rest);
    }

    private static void setDirectory(UpstreamOptions upstream, byte[] rest) throws Refusal {
        if (rest.length == 0 || upstream.workingDirectory.isPresent()) {
            throw new Refusal(
                    "--upstream-cwd " + upstream.name + ": one directory is wanted",
                    "--upstream-cwd " + upstream.name + ":PATH");
        }
        upstream.workingDirectory = Optional.of(UnixPath.of(rest));
    }

    private static void addSandbox(UpstreamOptions upstream, Optional<byte[]> rest) throws Refusal {
        List<byte[]> words = new ArrayList<>(upstream.sandbox.orElse(List.of()));
        if (rest.isPresent()) {
            for (byte[] piece : pieces(rest.get(), ',')) {
                addSandboxWords(upstream, piece, words);
            }
        }
        upstream.sandbox = Optional.of(words);
    }

    private static void addSandboxWords(UpstreamOptions upstream, byte[] piece, List<byte[]> words)
            throws Refusal {
        int equals = OptionWords.indexOf(piece, '=');
        String key = text(Arrays.copyOf(piece, Math.max(equals, 0)));
        for (String[] known : SANDBOX_KEYS) {
            if (known[0].equals(key) && equals + 1 < piece.length) {
                byte[] value = Arrays.copyOfRange(piece, equals + 1, piece.length);
                List<byte[]> values = key.equals("egress") ? pieces(value, '+') : List.of(value);
                for (byte[] one : values) {
                    words.add(join(known[1], one));
                }
                return;
            }
        }
        throw new Refusal(
                "--upstream-sandbox " + upstream.name + ": '" + UnixPath.of(piece)
                        + "' is no KEY=VALUE it knows",
                "--upstream-sandbox " + upstream.name + ":workspace=PATH,read=PATH,write=PATH,"
                        + "tool=NAME,cache=TOOL,env=VAR,egress=HOST+HOST");
    }

    private static byte[] join(String start, byte[] end) {
        byte[] all = Arrays.copyOf(
                start.getBytes(StandardCharsets.US_ASCII), start.length() + end.length);
        System.arraycopy(end, 0, all, start.length(), end.length);
        return all;
    }

    private void setBare(UpstreamOptions upstream, About about) throws Refusal {
        alone(about);
        for (UpstreamOptions other : upstreams.values()) {
            if (other.isBare && other != upstream) {
                throw new Refusal(
                        "--no-prefix is given for " + other.name + " and for " + upstream.name
                                + ": names of two could be the same",
                        "keep one of them");
            }
        }
        upstream.isBare = true;
    }

    private static String restText(About about) throws Refusal {
        if (about.rest.isPresent() && about.rest.get().length == 0) {
            throw new Refusal(
                    about.option + " '" + about.name + ":' has nothing behind the colon",
                    about.option + " " + about.name + " for all of them");
        }
        return text(about.rest.orElse(new byte[0]));
    }

    private static String alone(About about) throws Refusal {
        if (about.rest.isPresent()) {
            throw new Refusal(
                    about.option + " takes the name of an upstream, nothing behind it",
                    about.option + " " + about.name);
        }
        return about.name;
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
