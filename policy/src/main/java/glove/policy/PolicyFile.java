package glove.policy;

import glove.policy.ArgumentRule.Presence;
import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonPointer;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a policy file: docs/tool-policy.md describes the form,
 * docs/schemas/tool-policy.schema.json states it. Confined to one thread.
 */
final class PolicyFile {
    static final int VERSION = 1;
    static final int ARGUMENTS_MAX = 256;

    private final String name;

    PolicyFile(String name) {
        this.name = name;
    }

    List<ToolRule> read(byte[] content) throws PolicyException {
        FileObject top = new FileObject(name, "", parse(content));
        JsonValue version = top.get("version");
        if (!version.is(JsonKind.NUMBER) || !version.number().equals("1")) {
            throw top.wrong(
                    "version " + Shown.quoted(version.toJson()) + " is not known to this build",
                    "\"version\": " + VERSION + ", or a newer Glove");
        }
        top.find("$schema", JsonKind.STRING);
        top.find("comment", JsonKind.STRING);
        JsonValue list = top.get("rules");
        if (!list.is(JsonKind.ARRAY)) {
            throw top.wrong("'rules' is " + list.kind().words() + ", not an array");
        }
        List<ToolRule> rules = new ArrayList<>();
        for (JsonValue rule : list.children()) {
            String pointer = "/rules/" + rules.size();
            rules.add(rule(new FileObject(name, pointer, rule)));
        }
        top.end();
        return rules;
    }

    private JsonValue parse(byte[] content) throws PolicyException {
        try {
            return JsonText.value(content, JsonLimits.FILE).root();
        } catch (JsonException e) {
            int line = 1;
            for (int i = 0; i < Math.min(e.offset(), content.length); i++) {
                line += content[i] == '\n' ? 1 : 0;
            }
            throw new PolicyException(Shown.quoted(name) + ", line " + line
                    + ": it is not strict JSON: " + e.getMessage());
        }
    }

    private ToolRule rule(FileObject rule) throws PolicyException {
        JsonValue tool = rule.get("tool");
        if (!tool.is(JsonKind.STRING)) {
            throw rule.wrong("'tool' is " + tool.kind().words() + ", not a string");
        }
        ToolPattern pattern = ToolPattern.parse(tool.string(), rule.where());
        rule.find("comment", JsonKind.STRING);
        ToolRule.Arguments arguments = arguments(rule);
        Optional<Rate> rate = rate(rule);
        int argumentBytes = bytes(rule, "argument_bytes_max");
        int resultBytes = bytes(rule, "result_bytes_max");
        rule.end();
        return new ToolRule(
                pattern,
                new ToolRule.Origin(rule.place(), true),
                arguments,
                new ToolRule.Bounds(rate, argumentBytes, resultBytes));
    }

    private static int bytes(FileObject rule, String key) throws PolicyException {
        return rule.findInt(key, 1, ToolRule.UNBOUNDED).orElse(ToolRule.UNBOUNDED);
    }

    private static Optional<Rate> rate(FileObject rule) throws PolicyException {
        Optional<JsonValue> value = rule.find("rate");
        if (value.isEmpty()) {
            return Optional.empty();
        }
        FileObject rate = rule.object("rate", value.get());
        Optional<Integer> calls = rate.findInt("calls", 1, Rate.CALLS_MAX);
        Optional<Integer> seconds = rate.findInt("seconds", 1, Rate.SECONDS_MAX);
        rate.end();
        if (calls.isEmpty() || seconds.isEmpty()) {
            throw rate.wrong("it needs both keys", "\"rate\": {\"calls\": 10, \"seconds\": 60}");
        }
        return Optional.of(new Rate(calls.get(), seconds.get()));
    }

    private static ToolRule.Arguments arguments(FileObject rule) throws PolicyException {
        Optional<JsonValue> list = rule.find("arguments", JsonKind.ARRAY);
        Optional<JsonValue> other = rule.find("other_arguments", JsonKind.STRING);
        boolean isOpen = other.isPresent() && other.get().isString("allow");
        if (other.isPresent() && !isOpen && !other.get().isString("deny")) {
            throw rule.wrong("'other_arguments' is neither \"allow\" nor \"deny\"");
        }
        if (list.isEmpty()) {
            if (other.isPresent()) {
                throw rule.wrong(
                        "'other_arguments' means nothing without 'arguments'",
                        "\"arguments\": [] and \"other_arguments\": \"deny\" for none at all");
            }
            return ToolRule.Arguments.ANY;
        }
        List<ArgumentRule> rules = new ArrayList<>();
        for (JsonValue each : list.get().children()) {
            String key = "arguments/" + rules.size();
            rules.add(argument(new FileObject(rule, key, each)));
        }
        if (rules.size() > ARGUMENTS_MAX) {
            throw rule.wrong("'arguments' has " + rules.size() + " elements, at most "
                    + ARGUMENTS_MAX + " are taken");
        }
        return new ToolRule.Arguments(rules, !isOpen);
    }

    private static ArgumentRule argument(FileObject argument) throws PolicyException {
        JsonValue text = argument.get("pointer");
        Optional<JsonPointer> pointer =
                text.is(JsonKind.STRING) ? JsonPointer.parse(text.string()) : Optional.empty();
        if (pointer.isEmpty()) {
            throw argument.wrong(
                    "'pointer' is no JSON Pointer: " + Shown.quoted(text.toJson()),
                    "\"pointer\": \"/NAME\"; '/' within a name is ~1, '~' is ~0");
        }
        argument.find("comment", JsonKind.STRING);
        Presence presence = presence(argument);
        List<Constraint> constraints = new Operators(argument).read();
        argument.end();
        if (presence == Presence.ABSENT && !constraints.isEmpty()) {
            throw argument.wrong("what is absent can be nothing else as well");
        }
        return new ArgumentRule(pointer.get(), presence, constraints);
    }

    private static Presence presence(FileObject argument) throws PolicyException {
        Optional<JsonValue> required = argument.find("required", JsonKind.BOOLEAN);
        Optional<JsonValue> absent = argument.find("absent", JsonKind.BOOLEAN);
        if (required.isPresent() == absent.isPresent()) {
            throw argument.wrong(
                    "it must say whether the argument has to be there",
                    "one of \"required\": true, \"required\": false, \"absent\": true");
        }
        if (absent.isPresent()) {
            if (!absent.get().truth()) {
                throw argument.wrong("'absent' can only be true", "\"required\": false");
            }
            return Presence.ABSENT;
        }
        return required.orElseThrow().truth() ? Presence.REQUIRED : Presence.OPTIONAL;
    }
}
