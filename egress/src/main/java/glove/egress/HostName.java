package glove.egress;

import java.net.IDN;
import java.util.Locale;

/**
 * The name of a host in the one form that is compared: ASCII, lower case, without the dot at the
 * end. Never an address, and nothing that inet_aton(3) or a browser would take for one, such as
 * {@code 127.1} or {@code 0x7f.1}. Immutable; equal when the texts are.
 */
public final class HostName {
    /** Bytes of a whole name (RFC 1035 §2.3.4, as text without the dot at the end). */
    static final int BYTES_MAX = 253;

    private static final int LABEL_BYTES_MAX = 63;
    private static final int HTTP_BAD_REQUEST = 400;
    private static final String LOCALHOST = "localhost";

    /** What IDNA 2003 and 2008 read differently (RFC 5894 §7.2): ss, sigma and two joiners. */
    private static final String DEVIATIONS = "\u00df\u1e9e\u03c2\u200c\u200d";

    private final String text;

    private HostName(String text) {
        this.text = text;
    }

    /**
     * From what a person typed: letters of any alphabet are brought to ASCII by IDNA.
     *
     * @throws EgressException when it is no name; the sentence says why
     */
    public static HostName ofOption(String typed) throws EgressException {
        String ascii = isAscii(typed) ? typed : toAscii(typed);
        String name = canonical(ascii);
        String fault = fault(name);
        if (!fault.isEmpty()) {
            throw new EgressException("'" + typed + "' is no host name: " + fault);
        }
        return new HostName(name);
    }

    private static String toAscii(String typed) throws EgressException {
        for (int i = 0; i < typed.length(); i++) {
            if (DEVIATIONS.indexOf(typed.charAt(i)) >= 0) {
                throw new EgressException(
                        "'" + typed + "' means one host to some programs and another to others"
                                + " (IDNA 2003 and 2008 differ in one of its letters)",
                        "write it in its ASCII form, which begins with xn--");
            }
        }
        try {
            return IDN.toASCII(typed);
        } catch (IllegalArgumentException e) {
            throw new EgressException(
                    "'" + typed + "' is no host name: it has no ASCII form",
                    "write it in its ASCII form, which begins with xn--");
        }
    }

    /**
     * From what a client sent, which has to be ASCII.
     *
     * @throws MalformedException when it is no name
     */
    public static HostName ofWire(String sent) throws MalformedException {
        if (!isAscii(sent)) {
            throw new MalformedException(
                    HTTP_BAD_REQUEST, "the host name is not in its ASCII form (xn--)");
        }
        String name = canonical(sent);
        String fault = fault(name);
        if (!fault.isEmpty()) {
            throw new MalformedException(
                    HTTP_BAD_REQUEST, "what was sent as host name is none: " + fault);
        }
        return new HostName(name);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '\u007f') {
                return false;
            }
        }
        return true;
    }

    private static String canonical(String ascii) {
        boolean dot = ascii.endsWith(".");
        return (dot ? ascii.substring(0, ascii.length() - 1) : ascii).toLowerCase(Locale.ROOT);
    }

    /** Why a text in canonical form is no name; empty for one that is. */
    private static String fault(String name) {
        if (name.isEmpty()) {
            return "it is empty";
        }
        if (name.length() > BYTES_MAX) {
            return "it has " + name.length() + " bytes, and a name has at most " + BYTES_MAX;
        }
        int start = 0;
        for (int i = 0; i <= name.length(); i++) {
            if (i < name.length() && name.charAt(i) != '.') {
                if (!isOfLabels(name.charAt(i))) {
                    return "it has other characters than letters, digits, '-', '_' and '.'";
                }
                continue;
            }
            String fault = labelFault(name, start, i);
            if (!fault.isEmpty()) {
                return fault;
            }
            if (i == name.length() && isNumber(name, start, i)) {
                return "its last part is a number, as in an address";
            }
            start = i + 1;
        }
        return "";
    }

    private static boolean isOfLabels(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    private static String labelFault(String name, int start, int end) {
        if (start == end) {
            return "there is nothing between two dots, or before the first";
        }
        if (end - start > LABEL_BYTES_MAX) {
            return "a part between dots has " + (end - start) + " bytes, and may have "
                    + LABEL_BYTES_MAX;
        }
        if (name.charAt(start) == '-' || name.charAt(end - 1) == '-') {
            return "a part between dots begins or ends with '-'";
        }
        return "";
    }

    /** Decimal, octal or {@code 0x}: resolvers take a name that ends so for an address. */
    private static boolean isNumber(String name, int start, int end) {
        boolean hex =
                end - start >= 2 && name.charAt(start) == '0' && name.charAt(start + 1) == 'x';
        for (int i = hex ? start + 2 : start; i < end; i++) {
            char c = name.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit && !(hex && c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is the other name or one below it, as {@code a.example.com} is. */
    public boolean isWithin(HostName domain) {
        int dot = text.length() - domain.text.length() - 1;
        return text.equals(domain.text)
                || (dot > 0 && text.charAt(dot) == '.' && text.endsWith(domain.text));
    }

    /** The name every machine has for itself (RFC 6761 §6.3), and names below it. */
    public boolean isLocalhost() {
        return text.equals(LOCALHOST) || text.endsWith("." + LOCALHOST);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostName name && text.equals(name.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The canonical form. */
    @Override
    public String toString() {
        return text;
    }
}
