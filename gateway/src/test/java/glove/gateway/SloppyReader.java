package glove.gateway;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A reader as upstreams have them, made without the product's: it takes the first or the last of
 * two names, does not care about their case if told so, ends lines at CR as well, replaces what is
 * no UTF-8, and minds nothing behind a value. Whatever such a reader takes a line for must be what
 * the policy saw. Confined to one thread.
 *
 * <p>Values: Map, List, String, and the text of all else.
 */
final class SloppyReader {
    /** How two members of one name are read. */
    record Manner(boolean firstWins, boolean foldsCase) {}

    static final List<Manner> MANNERS = List.of(
            new Manner(true, false),
            new Manner(false, false),
            new Manner(true, true),
            new Manner(false, true));

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final String text;
    private final Manner manner;
    private int at;

    private SloppyReader(String text, Manner manner) {
        this.text = text;
        this.manner = manner;
    }

    /** All objects that such a reader finds in some lines. */
    static List<Map<String, Object>> messages(byte[] bytes, Manner manner) {
        List<Map<String, Object>> found = new ArrayList<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("[\r\n]", -1)) {
            SloppyReader reader = new SloppyReader(line, manner);
            try {
                reader.space();
                if (reader.at < line.length() && line.charAt(reader.at) == '{') {
                    found.add(reader.object());
                }
            } catch (Refused e) {
                // it skips such a line
            }
        }
        return found;
    }

    private void space() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private char peek() throws Refused {
        space();
        if (at >= text.length()) {
            throw new Refused();
        }
        return text.charAt(at);
    }

    private Object value() throws Refused {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object() throws Refused {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (peek() != '}') {
            String name = string();
            if (manner.foldsCase()) {
                name = name.toLowerCase(Locale.ROOT);
            }
            if (peek() != ':') {
                throw new Refused();
            }
            at++;
            Object value = value();
            if (!manner.firstWins() || !members.containsKey(name)) {
                members.put(name, value);
            }
            if (peek() == ',') {
                at++;
            }
        }
        at++;
        return members;
    }

    private List<Object> array() throws Refused {
        List<Object> elements = new ArrayList<>();
        at++;
        while (peek() != ']') {
            elements.add(value());
            if (peek() == ',') {
                at++;
            }
        }
        at++;
        return elements;
    }

    private String string() throws Refused {
        if (peek() != '"') {
            throw new Refused();
        }
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
                value.append(escape());
            } else {
                value.append(c);
            }
        }
        at++;
        return value.toString();
    }

    private String escape() throws Refused {
        if (at >= text.length()) {
            throw new Refused();
        }
        char c = text.charAt(at);
        if (c != 'u') {
            int place = "bfnrt".indexOf(c);
            return place < 0 ? "" + c : "" + "\b\f\n\r\t".charAt(place);
        }
        if (at + 4 >= text.length()) {
            throw new Refused();
        }
        String digits = text.substring(at + 1, at + 5);
        at += 4;
        return parsed(digits).map(String::valueOf).orElse("?");
    }

    private static Optional<Character> parsed(String digits) {
        int unit = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(i), 16);
            if (digit < 0) {
                return Optional.empty();
            }
            unit = unit << 4 | digit;
        }
        return Optional.of((char) unit);
    }

    private String word() throws Refused {
        int from = at;
        while (at < text.length() && ",]} :{[\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (from == at) {
            throw new Refused();
        }
        return text.substring(from, at);
    }
}
