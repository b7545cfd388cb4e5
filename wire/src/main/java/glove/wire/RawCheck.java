package glove.wire;

import glove.wire.JsonException.Fault;

/**
 * What the parser does not look at or looks at too late: that the bytes are UTF-8 (shortest form,
 * no surrogates), that escaped surrogates come in pairs, that no number is long, that strings end.
 * Everything here refuses; a text that passes still has to be JSON. Confined to one call.
 */
final class RawCheck {
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private final byte[] bytes;
    private final int from;
    private final int to;

    private RawCheck(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    static void check(byte[] bytes, int from, int to, int numberBytesMax) throws JsonException {
        new RawCheck(bytes, from, to).run(numberBytesMax);
    }

    private void run(int numberBytesMax) throws JsonException {
        boolean quoted = false;
        int number = 0;
        int at = from;
        while (at < to) {
            byte b = bytes[at];
            if (b < 0) {
                at = sequence(at);
            } else if (b == '"') {
                quoted = !quoted;
                number = 0;
                at++;
            } else if (quoted) {
                at = b == '\\' ? escape(at) : at + 1;
            } else {
                number = isOfNumber(b) ? number + 1 : 0;
                if (number > numberBytesMax) {
                    throw refused(
                            Fault.TOO_MUCH,
                            at,
                            "a number of more than " + numberBytesMax + " bytes");
                }
                at++;
            }
        }
        // The parser says so only after the string's end was looked for.
        if (quoted) {
            throw refused(Fault.SYNTAX, to, "a string that does not end");
        }
    }

    static boolean isOfNumber(byte b) {
        return (b >= '0' && b <= '9') || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E';
    }

    /** RFC 3629: returns where the next character begins. */
    private int sequence(int at) throws JsonException {
        int lead = bytes[at] & 0xff;
        int length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (length == 0 || at + length > to) {
            throw refused(Fault.NOT_UTF8, at, "a byte that is not UTF-8");
        }
        int point = lead & (0xff >> (length + 1));
        for (int i = 1; i < length; i++) {
            int next = bytes[at + i] & 0xff;
            if ((next & 0xc0) != 0x80) {
                throw refused(Fault.NOT_UTF8, at, "a byte that is not UTF-8");
            }
            point = point << 6 | (next & 0x3f);
        }
        boolean overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
        if (overlong || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
            throw refused(Fault.NOT_UTF8, at, "a byte that is not UTF-8");
        }
        if (point == BYTE_ORDER_MARK && at == from) {
            throw refused(Fault.NOT_UTF8, at, "a byte order mark");
        }
        return at + length;
    }

    /** Of a backslash in a string; one that is no escape at all is left to the parser. */
    private int escape(int at) throws JsonException {
        int unit = unit(at);
        if (unit < 0xd800 || unit > 0xdfff) {
            return at + 2;
        }
        int second = unit < 0xdc00 ? unit(at + 6) : -1;
        if (second < 0xdc00 || second > 0xdfff) {
            throw refused(Fault.LONE_SURROGATE, at, "half of a surrogate pair");
        }
        return at + 12;
    }

    /** The UTF-16 unit that is escaped there; -1 when none is. */
    private int unit(int at) {
        if (at + 6 > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = 2; i < 6; i++) {
            int digit = Character.digit(bytes[at + i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    private JsonException refused(Fault fault, int at, String what) {
        return new JsonException(fault, at - from, what);
    }
}
