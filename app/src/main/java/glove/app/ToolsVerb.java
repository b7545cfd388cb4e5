package glove.app;

import glove.policy.CallRates;
import glove.policy.Decision;
import glove.policy.PolicyReview;
import glove.policy.ToolName;
import glove.policy.ToolPolicy;
import glove.policy.ToolRule;
import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code glove tools}: says what a policy for tools does, before anything runs under it. */
final class ToolsVerb {
    static final String HELP = """
            usage: glove tools check FILE [--json]
                   glove tools test FILE --call UPSTREAM.TOOL [ARGUMENTS] [--json]
                   glove tools diff [UPSTREAM] [--json]
                   glove tools accept UPSTREAM [--all|TOOL[@DIGEST]...]

            Policies for the tools of MCP servers: which may be called, with which
            arguments. The file must be yours and writable by nobody else.

              check     reads the file, prints each rule in a line, warns of rules that
                        can never match, have no effect or let more through than it seems
              test      decides on one call as a run would, and says by which rule; exit
                        status 0 allowed, 1 denied, 2 for a bad command line or file
              diff      what tools of upstreams now say that you have not accepted, member
                        by member; such tools are hidden from agents; exit status 0
                        nothing waits, 1 something does
              accept    accepts what waits, from the next run on, and prints its digests;
                        with the digest that diff showed, only if it is that still

              --call TOOL   the call to decide on, as rules name the tool; its arguments
                            follow as JSON, {} when left out
              --all         accept all that waits of the upstream
              --json        print the answer as data
              -h, --help    this text

            example: glove tools test policy.json --call files.read_file '{"path":"/etc"}'
            """;

    private static final String SEE_HELP = "glove tools --help";
    private static final String CALL = "--call";
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_DENIED = 1;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("tools");

    ToolsVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        try {
            return run(invocation.arguments());
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus();
        }
    }

    private int run(List<byte[]> arguments) throws Refusal {
        List<byte[]> rest = new ArrayList<>();
        boolean json = false;
        for (byte[] argument : arguments) {
            String word = UnixPath.of(argument).toString();
            if (word.equals("-h") || word.equals("--help")) {
                return Output.print(HELP);
            }
            if (word.equals("--json")) {
                json = true;
            } else {
                rest.add(argument);
            }
        }
        String what = rest.isEmpty() ? "" : UnixPath.of(rest.get(0)).toString();
        return switch (what) {
            case "check" -> check(rest, json);
            case "test" -> test(rest, json);
            case "diff" -> pins().diff(names(rest), json);
            case "accept" -> {
                if (json) {
                    throw new Refusal("'accept' prints no data", "glove tools diff --json");
                }
                yield pins().accept(names(rest));
            }
            case "" -> throw new Refusal("check, test, diff or accept?", SEE_HELP);
            default -> throw new Refusal("unknown word '" + what + "'", SEE_HELP);
        };
    }

    private ToolPins pins() {
        return new ToolPins(linux, invocation);
    }

    /** What stands behind the word, as text. */
    private static List<String> names(List<byte[]> words) throws Refusal {
        List<String> names = new ArrayList<>();
        for (byte[] word : words.subList(1, words.size())) {
            String name = new String(word, StandardCharsets.UTF_8);
            if (name.startsWith("-") && !name.equals("--all")) {
                throw new Refusal("unknown option '" + TerminalText.of(name) + "'", SEE_HELP);
            }
            names.add(name);
        }
        return names;
    }

    private int check(List<byte[]> words, boolean json) throws Refusal {
        if (words.size() != 2) {
            throw new Refusal("'check' takes one file", SEE_HELP);
        }
        ToolPolicy policy = PolicySource.read(linux, UnixPath.of(words.get(1)));
        List<String> warnings = PolicyReview.warnings(policy);
        StringBuilder text = new StringBuilder();
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION).name("rules").beginArray();
        for (ToolRule rule : policy.rules()) {
            String line = PolicyReview.describe(rule);
            text.append(line).append('\n');
            data.beginObject()
                    .member("tool", rule.pattern().toString())
                    .member("origin", rule.origin())
                    .member("text", line)
                    .endObject();
        }
        data.endArray().name("warnings").beginArray();
        for (String warning : warnings) {
            text.append("warning: ").append(warning).append('\n');
            data.value(warning);
        }
        return Output.print(json ? data.endArray().endObject().toJson() + "\n" : text.toString());
    }

    private int test(List<byte[]> words, boolean json) throws Refusal {
        boolean formed = words.size() == 4 || words.size() == 5;
        if (!formed || !UnixPath.of(words.get(2)).toString().equals(CALL)) {
            throw new Refusal(
                    "'test' takes a file, --call, a tool and its arguments",
                    "glove tools test FILE --call UPSTREAM.TOOL '{\"NAME\": \"VALUE\"}'");
        }
        String name = UnixPath.of(words.get(3)).toString();
        Optional<ToolName> tool = ToolName.parse(name);
        if (tool.isEmpty()) {
            throw new Refusal("'" + name + "' is no tool", CALL + " UPSTREAM.TOOL");
        }
        Optional<JsonValue> arguments = Optional.empty();
        if (words.size() == 5) {
            arguments = Optional.of(json(words.get(4)));
        }
        ToolPolicy policy = PolicySource.read(linux, UnixPath.of(words.get(1)));
        Decision decision = policy.decide(tool.get(), arguments, new CallRates(System::nanoTime));
        return decision instanceof Decision.Denied denied
                ? denied(tool.get(), denied, json)
                : allowed(tool.get(), (Decision.Allowed) decision, json);
    }

    private static JsonValue json(byte[] word) throws Refusal {
        try {
            return JsonText.value(word, JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new Refusal(
                    "the arguments are not strict JSON: " + e.getMessage(),
                    CALL + " UPSTREAM.TOOL '{\"NAME\": \"VALUE\"}'");
        }
    }

    private static int allowed(ToolName tool, Decision.Allowed allowed, boolean json) {
        String rule = allowed.rule().origin();
        if (!json) {
            return Output.print("allowed by " + rule + "\n");
        }
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION)
                .member("tool", tool.toString())
                .member("allowed", true)
                .member("rule", rule);
        return Output.print(data.endObject().toJson() + "\n");
    }

    private static int denied(ToolName tool, Decision.Denied denied, boolean json) {
        String text;
        if (json) {
            JsonWriter data = new JsonWriter().beginObject();
            data.member("schema_version", SCHEMA_VERSION)
                    .member("tool", tool.toString())
                    .member("allowed", false)
                    .member("reason", denied.reason().name())
                    .member(
                            "rule",
                            denied.rule().isPresent() ? denied.rule().get().origin() : "")
                    .member("operator", denied.operatorSentence())
                    .member("model", denied.modelSentence());
            text = data.endObject().toJson() + "\n";
        } else {
            text = "denied: " + denied.operatorSentence() + "\nto allow it: "
                    + denied.hints().get(0) + "\nthe model is told: " + denied.modelSentence()
                    + "\n";
        }
        Output.print(text);
        return EXIT_DENIED;
    }
}
