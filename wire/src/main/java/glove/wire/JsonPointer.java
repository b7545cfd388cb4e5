package glove.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A JSON Pointer (RFC 6901): the way from a value to one inside it. Immutable. It leads to one
 * value or to none; the {@code -} behind the last element of an array leads to none.
 */
public final class JsonPointer {
    private final String text;
    private final List<String> steps;

    private JsonPointer(String text, List<String> steps) {
        this.text = text;
        this.steps = List.copyOf(steps);
    }

    /** Reads one; empty when it is none, such as one that does not begin with a slash. */
    public static Optional<JsonPointer> parse(String text) {
        List<String> steps = new ArrayList<>();
        StringBuilder step = new StringBuilder();
        if (!text.isEmpty() && text.charAt(0) != '/') {
            return Optional.empty();
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/') {
                steps.add(step.toString());
                step.setLength(0);
            } else if (c == '~') {
                i++;
                char escaped = i < text.length() ? text.charAt(i) : ' ';
                if (escaped != '0' && escaped != '1') {
                    return Optional.empty();
                }
                step.append(escaped == '0' ? '~' : '/');
            } else {
                step.append(c);
            }
        }
        if (!text.isEmpty()) {
            steps.add(step.toString());
        }
        return Optional.of(new JsonPointer(text, steps));
    }

    /** The pointer to a member of the value it starts from. */
    public static JsonPointer ofMember(String name) {
        String escaped = name.replace("~", "~0").replace("/", "~1");
        return new JsonPointer("/" + escaped, List.of(name));
    }

    /** The names and places on the way, decoded; none for the value itself. */
    public List<String> steps() {
        return steps;
    }

    /** The value it leads to. */
    public Optional<JsonValue> find(JsonValue from) {
        JsonValue at = from;
        for (String step : steps) {
            Optional<JsonValue> next = switch (at.kind()) {
                case OBJECT -> at.member(step);
                case ARRAY -> at.element(place(step));
                case STRING, NUMBER, BOOLEAN, NULL -> Optional.empty();
            };
            if (next.isEmpty()) {
                return Optional.empty();
            }
            at = next.get();
        }
        return Optional.of(at);
    }

    /** A place in an array: digits without leading zero; otherwise no place. */
    private static int place(String step) {
        boolean plain = !step.isEmpty() && step.length() < 9;
        for (int i = 0; i < step.length(); i++) {
            plain &= step.charAt(i) >= '0' && step.charAt(i) <= '9';
        }
        if (!plain || (step.length() > 1 && step.charAt(0) == '0')) {
            return -1;
        }
        return Integer.parseInt(step);
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonPointer pointer && steps.equals(pointer.steps);
    }

    @Override
    public int hashCode() {
        return steps.hashCode();
    }
}
