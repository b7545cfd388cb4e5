package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonSplice;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What may be asked of a user: a form of a few plain fields, as the protocol has it (elicitation of
 * 2025-06-18 and 2025-11-25), that asks for no secret. A client that draws more than that from a
 * schema draws what nobody has looked at. Stateless.
 */
final class Forms {
    private static final int BYTES_MAX = 32 << 10;
    private static final int MESSAGE_BYTES_MAX = 8 << 10;
    private static final int FIELDS_MAX = 64;
    private static final int CHOICES_MAX = 256;

    private static final Set<String> OF_FORM = Set.of(
            "$schema",
            "type",
            "properties",
            "required",
            "title",
            "description",
            "additionalProperties");

    private static final Set<String> OF_FIELD = Set.of("type", "title", "description", "default");

    /** What a field of each type may have beside. */
    private static final Map<String, Set<String>> OF_TYPE = Map.of(
            "string", Set.of("minLength", "maxLength", "format", "enum", "enumNames", "oneOf"),
            "number", Set.of("minimum", "maximum"),
            "integer", Set.of("minimum", "maximum"),
            "boolean", Set.of(),
            "array", Set.of("items", "minItems", "maxItems"));

    /** A form that asks for these is no question to a user but phishing. */
    private static final List<String> SECRETS = List.of(
            "password",
            "passwd",
            "passphrase",
            "secret",
            "token",
            "apikey",
            "credential",
            "privatekey",
            "pincode",
            "creditcard",
            "cardnumber",
            "cvv",
            "ssn");

    /** Members whose text is only shown. */
    private static final Set<String> SHOWN = Set.of("title", "description");

    private Forms() {}

    /** What is wrong with a form; empty when nothing is. */
    static String fault(Message request) {
        if (!request.text("mode").orElse("form").equals("form")) {
            return "only forms are mediated";
        }
        boolean isForm = request.text("message").isPresent()
                && (request.param("mode").isEmpty() || request.text("mode").isPresent());
        Optional<JsonValue> schema =
                request.param("requestedSchema").filter(value -> value.is(JsonKind.OBJECT));
        Optional<JsonValue> fields =
                schema.flatMap(value -> value.member("properties", JsonKind.OBJECT));
        if (!isForm || fields.isEmpty()) {
            return "a form has a message and a schema with properties";
        }
        JsonValue message = request.param("message").orElseThrow();
        if (schema.get().byteCount() > BYTES_MAX || message.byteCount() > MESSAGE_BYTES_MAX) {
            return "a form has at most " + BYTES_MAX + " bytes, its message " + MESSAGE_BYTES_MAX;
        }
        if (!isOnly(schema.get(), OF_FORM) || !isType(schema.get(), "object")) {
            return "a form is an object of plain fields";
        }
        if (fields.get().size() > FIELDS_MAX) {
            return "a form has at most " + FIELDS_MAX + " fields";
        }
        if (isUnprintable(schema.get())) {
            return "a form holds no control characters";
        }
        if (isSecret(schema.get())) {
            return "a form may not ask for secrets";
        }
        for (JsonValue field : fields.get().children()) {
            if (!isPlain(field)) {
                return "a field of a form is text, a number, a choice, or yes or no";
            }
            if (isSecret(field)) {
                return "a form may not ask for secrets";
            }
        }
        return "";
    }

    private static boolean isType(JsonValue schema, String type) {
        return schema.member("type").filter(value -> value.isString(type)).isPresent();
    }

    private static boolean isOnly(JsonValue object, Set<String> known) {
        for (JsonValue member : object.children()) {
            if (!known.contains(member.name())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(JsonValue field) {
        if (!field.is(JsonKind.OBJECT)) {
            return false;
        }
        Optional<JsonValue> type = field.member("type", JsonKind.STRING);
        Set<String> more = type.isEmpty() ? null : OF_TYPE.get(type.get().string());
        if (more == null) {
            return false;
        }
        for (JsonValue member : field.children()) {
            String name = member.name();
            boolean isKnown = OF_FIELD.contains(name) || more.contains(name);
            boolean isWell = switch (name) {
                case "enum", "enumNames" -> isTexts(member);
                case "oneOf" -> isChoices(member);
                case "items" -> isItems(member);
                case "default" -> !member.is(JsonKind.OBJECT) && isFlat(member);
                default -> !member.is(JsonKind.OBJECT) && !member.is(JsonKind.ARRAY);
            };
            if (!isKnown || !isWell) {
                return false;
            }
        }
        return !isType(field, "array") || field.member("items").isPresent();
    }

    private static boolean isFlat(JsonValue value) {
        return !value.is(JsonKind.ARRAY) || isTexts(value);
    }

    private static boolean isTexts(JsonValue value) {
        if (!value.is(JsonKind.ARRAY) || value.size() > CHOICES_MAX) {
            return false;
        }
        for (JsonValue element : value.children()) {
            if (!element.is(JsonKind.STRING)) {
                return false;
            }
        }
        return true;
    }

    /** Values with titles. */
    private static boolean isChoices(JsonValue value) {
        if (!value.is(JsonKind.ARRAY) || value.size() > CHOICES_MAX) {
            return false;
        }
        for (JsonValue choice : value.children()) {
            boolean isChoice = choice.is(JsonKind.OBJECT)
                    && isOnly(choice, Set.of("const", "title"))
                    && choice.member("const", JsonKind.STRING).isPresent();
            if (!isChoice || choice.valueCount() != choice.size() + 1) {
                return false;
            }
        }
        return true;
    }

    /** Of a choice of several. */
    private static boolean isItems(JsonValue value) {
        if (!value.is(JsonKind.OBJECT) || !isOnly(value, Set.of("type", "enum", "anyOf"))) {
            return false;
        }
        Optional<JsonValue> texts = value.member("enum");
        Optional<JsonValue> choices = value.member("anyOf");
        return texts.isPresent() != choices.isPresent()
                && (texts.isEmpty() || isTexts(texts.get()))
                && (choices.isEmpty() || isChoices(choices.get()))
                && (value.member("type").isEmpty() || isType(value, "string"));
    }

    private static boolean isSecret(JsonValue field) {
        StringBuilder words = new StringBuilder(field.isMember() ? field.name() : "");
        for (String part : List.of("title", "description", "format")) {
            field.member(part, JsonKind.STRING)
                    .ifPresent(text -> words.append(' ').append(text.string()));
        }
        StringBuilder letters = new StringBuilder();
        String lower = words.toString().toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            if (Character.isLetterOrDigit(lower.charAt(i))) {
                letters.append(lower.charAt(i));
            }
        }
        return SECRETS.stream().anyMatch(secret -> letters.indexOf(secret) >= 0);
    }

    /**
     * Cleans all texts a user is shown: none holds anything a terminal would obey or that changes
     * what is seen of others. Members' names and what is answered with stay as they are.
     */
    static void clean(JsonValue value, JsonSplice splice) {
        for (JsonValue child : value.children()) {
            boolean isShown = child.isMember()
                    ? SHOWN.contains(child.name())
                    : value.isMember() && value.name().equals("enumNames");
            if (child.is(JsonKind.STRING)) {
                String cleaned = isShown ? printable(child.string()) : child.string();
                if (!cleaned.equals(child.string())) {
                    splice.replace(child, new JsonWriter().value(cleaned).toBytes());
                }
            } else if (child.is(JsonKind.OBJECT) || child.is(JsonKind.ARRAY)) {
                clean(child, splice);
            }
        }
    }

    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            out.append(isObeyed(text.charAt(i)) ? '?' : text.charAt(i));
        }
        return out.toString();
    }

    private static boolean isObeyed(char c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    /** Whether what is answered with, or asked for by name, would be obeyed when it is shown. */
    private static boolean isUnprintable(JsonValue value) {
        if (value.isMember() && !printable(value.name()).equals(value.name())) {
            return true;
        }
        if (value.is(JsonKind.STRING)) {
            boolean isCleaned = value.isMember() && SHOWN.contains(value.name());
            return !isCleaned && !printable(value.string()).equals(value.string());
        }
        for (JsonValue child : value.children()) {
            boolean isCleaned = value.isMember() && value.name().equals("enumNames");
            if (!isCleaned && isUnprintable(child)) {
                return true;
            }
        }
        return false;
    }

    /**
     * What an upstream says to a user, each line under its name, so that none can be taken for
     * another's or for Glove's; and nothing in it a terminal would obey.
     */
    static String marked(String upstream, String text) {
        String mark = "[" + upstream + "] ";
        StringBuilder out = new StringBuilder(mark);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int type = Character.getType(c);
            boolean ends = c == '\n'
                    || c == 0x0b
                    || c == '\f'
                    || c == 0x85
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || (c == '\r' && !text.startsWith("\n", i + 1));
            if (ends) {
                out.append('\n').append(mark);
            } else if (c == '\t') {
                out.append(' ');
            } else if (c != '\r') {
                out.append(isObeyed(c) ? '?' : c);
            }
        }
        return out.toString();
    }
}
