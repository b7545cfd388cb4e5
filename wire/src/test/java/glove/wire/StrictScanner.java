package glove.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A second reader of the same language, made from the grammar of RFC 8259 alone and for clearness
 * alone: over characters, into a tree. What it says of a text is compared to what
 * {@link JsonText} says. Confined to one thread.
 *
 * <p>The tree: Map, List, String, Boolean, {@link Digits}, and {@link #NOTHING} for null.
 */
final class StrictScanner {
    static final Object NOTHING = "null".toCharArray();

    /** A number as it was written. */
    record Digits(String text) {}

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final String text;
    private int at;

    private StrictScanner(String text) {
        this.text = text;
    }

    /** The value, which space may surround; empty when the text is not one. */
    static Optional<Object> value(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            StrictScanner scanner = new StrictScanner(text);
            Object value = scanner.element(0);
            return scanner.at == text.length() ? Optional.of(value) : Optional.empty();
        } catch (CharacterCodingException | Refused e) {
            return Optional.empty();
        }
    }

    /** The same of a frame, which is an object from its first byte on. */
    static Optional<Object> frame(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == '{' ? value(bytes) : Optional.empty();
    }

    private Object element(int depth) throws Refused {
        space();
        Object value = bare(depth);
        space();
        return value;
    }

    private Object bare(int depth) throws Refused {
        char c = peek();
        return switch (c) {
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NOTHING);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) throws Refused {
        require(depth <= 64);
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        space();
        if (take('}')) {
            return members;
        }
        do {
            space();
            String name = string();
            space();
            require(take(':'));
            require(!members.containsKey(name));
            members.put(name, element(depth));
        } while (take(','));
        require(take('}'));
        return members;
    }

    private List<Object> array(int depth) throws Refused {
        require(depth <= 64);
        List<Object> elements = new ArrayList<>();
        at++;
        space();
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(element(depth));
        } while (take(','));
        require(take(']'));
        return elements;
    }

    private String string() throws Refused {
        require(take('"'));
        StringBuilder value = new StringBuilder();
        while (!take('"')) {
            char c = next();
            require(c >= 0x20);
            if (c == '\\') {
                c = next();
                int known = "\"\\/bfnrt".indexOf(c);
                require(known >= 0 || c == 'u');
                c = known >= 0 ? "\"\\/\b\f\n\r\t".charAt(known) : unit();
            }
            value.append(c);
        }
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int point = value.codePointAt(i);
            require(point < 0xd800 || point > 0xdfff);
        }
        return value.toString();
    }

    private char unit() throws Refused {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = "0123456789abcdef0123456789ABCDEF".indexOf(next());
            require(digit >= 0);
            unit = unit * 16 + digit % 16;
        }
        return (char) unit;
    }

    private Object word(String word, Object value) throws Refused {
        require(text.startsWith(word, at));
        at += word.length();
        return value;
    }

    private Digits number() throws Refused {
        int start = at;
        take('-');
        if (!take('0')) {
            digits();
        }
        if (take('.')) {
            digits();
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            digits();
        }
        require(at - start <= 400);
        return new Digits(text.substring(start, at));
    }

    private void digits() throws Refused {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        require(at > start);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private char peek() throws Refused {
        require(at < text.length());
        return text.charAt(at);
    }

    private char next() throws Refused {
        char c = peek();
        at++;
        return c;
    }

    private static void require(boolean holds) throws Refused {
        if (!holds) {
            throw new Refused();
        }
    }
}
