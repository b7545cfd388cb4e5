package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonPointer;
import glove.wire.JsonValue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * As much of JSON Schema 2020-12 as the published schema uses; another keyword is an error of the
 * test. Immutable.
 */
final class SchemaCheck {
    private static final Set<String> WORDS =
            Set.of("$schema", "$defs", "title", "description", "default");

    private final JsonValue root;

    SchemaCheck(JsonValue root) {
        this.root = root;
    }

    boolean accepts(JsonValue value) {
        return accepts(root, value);
    }

    private boolean accepts(JsonValue schema, JsonValue value) {
        if (schema.is(JsonKind.BOOLEAN)) {
            return schema.truth();
        }
        boolean all = true;
        for (JsonValue keyword : schema.children()) {
            if (!WORDS.contains(keyword.name())) {
                all &= keyword(schema, keyword, value);
            }
        }
        return all;
    }

    private boolean keyword(JsonValue schema, JsonValue keyword, JsonValue value) {
        boolean object = value.is(JsonKind.OBJECT);
        boolean array = value.is(JsonKind.ARRAY);
        boolean string = value.is(JsonKind.STRING);
        boolean number = value.is(JsonKind.NUMBER);
        return switch (keyword.name()) {
            case "$ref" -> accepts(pointed(keyword.string()), value);
            case "type" -> isOfType(keyword.string(), value);
            case "const" -> isSame(keyword, value);
            case "enum" -> keyword.children().stream().anyMatch(one -> isSame(one, value));
            case "not" -> !accepts(keyword, value);
            case "anyOf" -> keyword.children().stream().anyMatch(one -> accepts(one, value));
            case "oneOf" ->
                keyword.children().stream().filter(one -> accepts(one, value)).count() == 1;
            case "required" -> !object || names(value).containsAll(strings(keyword));
            case "properties" -> !object || properties(keyword, value);
            case "additionalProperties" ->
                !object
                        || names(schema.member("properties").orElseThrow())
                                .containsAll(names(value));
            case "propertyNames" ->
                !object || strings(keyword.member("enum").orElseThrow()).containsAll(names(value));
            case "dependentRequired" ->
                !object
                        || keyword.children().stream()
                                .allMatch(one -> value.member(one.name()).isEmpty()
                                        || names(value).containsAll(strings(one)));
            case "dependentSchemas" ->
                !object
                        || keyword.children().stream()
                                .allMatch(one ->
                                        value.member(one.name()).isEmpty() || accepts(one, value));
            case "minProperties" -> !object || value.size() >= number(keyword).intValue();
            case "items" ->
                !array || value.children().stream().allMatch(one -> accepts(keyword, one));
            case "minItems" -> !array || value.size() >= number(keyword).intValue();
            case "maxItems" -> !array || value.size() <= number(keyword).intValue();
            case "uniqueItems" -> !array || isUnique(value.children());
            case "pattern" ->
                !string
                        || Pattern.compile(keyword.string())
                                .matcher(value.string())
                                .find();
            case "maxLength" ->
                !string
                        || value.string().codePoints().count()
                                <= number(keyword).longValue();
            case "minimum" -> !number || number(value).compareTo(number(keyword)) >= 0;
            case "maximum" -> !number || number(value).compareTo(number(keyword)) <= 0;
            default -> throw new AssertionError("the test does not know " + keyword.name());
        };
    }

    private JsonValue pointed(String reference) {
        return JsonPointer.parse(reference.substring(1))
                .orElseThrow()
                .find(root)
                .orElseThrow();
    }

    private boolean properties(JsonValue keyword, JsonValue value) {
        return value.children().stream()
                .allMatch(one -> keyword.member(one.name())
                        .map(schema -> accepts(schema, one))
                        .orElse(true));
    }

    private static boolean isOfType(String type, JsonValue value) {
        return switch (type) {
            case "integer" ->
                value.is(JsonKind.NUMBER) && number(value).stripTrailingZeros().scale() <= 0;
            case "number" -> value.is(JsonKind.NUMBER);
            default -> value.kind().name().equalsIgnoreCase(type);
        };
    }

    private static boolean isSame(JsonValue a, JsonValue b) {
        if (a.is(JsonKind.NUMBER) && b.is(JsonKind.NUMBER)) {
            return number(a).compareTo(number(b)) == 0;
        }
        return SameValue.test(a, b);
    }

    private static boolean isUnique(List<JsonValue> values) {
        return values.stream().map(JsonValue::toJson).distinct().count() == values.size();
    }

    private static BigDecimal number(JsonValue value) {
        return new BigDecimal(value.number());
    }

    private static List<String> names(JsonValue object) {
        return object.children().stream().map(JsonValue::name).toList();
    }

    private static List<String> strings(JsonValue array) {
        return array.children().stream().map(JsonValue::string).toList();
    }
}
