package glove.policy;

import glove.policy.Decision.Denied;
import glove.policy.Decision.Reason;
import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonPointer;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The sentences of denials. Stateless. */
final class Denials {
    /** What a call without arguments is taken for. */
    static final JsonValue NO_ARGUMENTS = emptyObject();

    private Denials() {}

    private static JsonValue emptyObject() {
        try {
            byte[] text = "{}".getBytes(StandardCharsets.US_ASCII);
            return JsonText.value(text, JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new IllegalStateException("an empty object is no JSON", e);
        }
    }

    static Denied unknownTool(ToolName tool) {
        return new Denied(
                Reason.UNKNOWN_TOOL,
                Optional.empty(),
                "no rule allows the tool " + Shown.quoted(tool.toString()),
                List.of("--allow " + Shown.quoted(tool.toString())),
                "unknown tool");
    }

    static Denied noObject(ToolName tool, ToolRule rule, JsonKind kind) {
        return denied(
                Reason.ARGUMENT,
                rule,
                tool,
                "the arguments are " + kind.words() + ", not an object",
                "the arguments must be an object");
    }

    static Denied argument(ToolName tool, ToolRule rule, ArgumentRule.Complaint complaint) {
        String pointer = Shown.quoted(complaint.argument());
        return denied(
                Reason.ARGUMENT,
                rule,
                tool,
                "argument " + pointer + " " + complaint.rule(),
                "argument " + name(complaint.argument()) + " " + complaint.advice());
    }

    /** A member is called by its name, what lies deeper by its pointer. */
    private static String name(String pointer) {
        List<String> steps = JsonPointer.parse(pointer).orElseThrow().steps();
        return Shown.quoted(steps.size() == 1 ? steps.get(0) : pointer);
    }

    static Denied tooLarge(ToolName tool, ToolRule rule, int bytes) {
        return denied(
                Reason.SIZE,
                rule,
                tool,
                "the arguments have " + bytes + " bytes, at most "
                        + rule.bounds().argumentBytesMax() + " are allowed",
                "the arguments are too large; at most " + rule.bounds().argumentBytesMax()
                        + " bytes are allowed");
    }

    static Denied tooOften(ToolName tool, ToolRule rule) {
        return denied(
                Reason.RATE,
                rule,
                tool,
                "more than " + rule.bounds().rate().orElseThrow(),
                "the tool was called too often; wait before you call it again");
    }

    private static Denied denied(
            Reason reason, ToolRule rule, ToolName tool, String what, String advice) {
        String hint = rule.isFromFile()
                ? "edit " + rule.origin()
                : "change or leave out " + rule.origin();
        return new Denied(
                reason,
                Optional.of(rule),
                Shown.quoted(tool.toString()) + ": " + what,
                List.of(hint),
                "not allowed by policy: " + advice);
    }
}
