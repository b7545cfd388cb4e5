package glove.egress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The fields of a head of HTTP/1.1, read strictly (RFC 9112 §5): lines end with CR LF, nothing
 * stands between a name and its colon, nothing is folded, values hold no control bytes. What is
 * sent on is written anew from these, so that nobody reads it otherwise. Immutable once made.
 */
final class HeadFields {
    /** Bytes of a whole head, the empty line included. */
    static final int BYTES_MAX = 16 << 10;

    private static final int FIELDS_MAX = 100;
    private static final String CONNECTION = "connection";
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    /** For one connection only (RFC 9110 §7.6.1), or for the proxy. */
    private static final String[] HOP_BY_HOP = {
        CONNECTION,
        "keep-alive",
        "te",
        "upgrade",
        BodyFraming.CONTENT_LENGTH,
        BodyFraming.TRANSFER_ENCODING,
    };

    private final int code;
    private final List<String> written = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final List<String> options = new ArrayList<>();

    private HeadFields(int code) {
        this.code = code;
    }

    /**
     * Finds the end of a head in a buffer that grows. What can be no head is refused as soon as it
     * is seen, not only when the buffer is full.
     *
     * @param scanned how far an earlier call of this was given bytes; {@code from} at first
     * @param code what a refusal answers, except for a head that is too long
     * @return behind the empty line; -1 when there is more to come
     */
    static int end(byte[] bytes, int from, int scanned, int to, int code)
            throws MalformedException {
        if (from < to && !isToken(bytes[from])) {
            throw new MalformedException(code, "it does not begin as HTTP/1.1 does");
        }
        int last = Math.min(to, from + BYTES_MAX);
        for (int i = Math.max(from, scanned - 1); i < last; i++) {
            byte b = bytes[i];
            if (b == 0) {
                throw new MalformedException(code, "there is a NUL in the head");
            }
            if (b == '\r' && i + 1 < to && bytes[i + 1] != '\n') {
                throw new MalformedException(code, "a line of the head ends with CR alone");
            }
            if (b == '\n') {
                if (i == from || bytes[i - 1] != '\r') {
                    throw new MalformedException(code, "a line of the head ends with LF alone");
                }
                if (i - from >= 3 && bytes[i - 2] == '\n') {
                    return i + 1;
                }
            }
        }
        if (to - from >= BYTES_MAX) {
            int tooLong = code == HttpCode.BAD_REQUEST ? HttpCode.FIELDS_TOO_LARGE : code;
            throw new MalformedException(
                    tooLong, "the head is longer than " + BYTES_MAX + " bytes");
        }
        return -1;
    }

    /**
     * Reads all fields.
     *
     * @param from behind the first line
     * @param to behind the empty line
     * @param code what a refusal answers
     */
    static HeadFields parse(byte[] bytes, int from, int to, int code) throws MalformedException {
        HeadFields fields = new HeadFields(code);
        int at = from;
        while (at < to - 2) {
            int end = at;
            while (bytes[end] != '\r') {
                end++;
            }
            fields.add(bytes, at, end);
            at = end + 2;
        }
        for (String value : fields.values(CONNECTION)) {
            fields.addOptions(value);
        }
        return fields;
    }

    private void add(byte[] bytes, int from, int to) throws MalformedException {
        if (names.size() == FIELDS_MAX) {
            throw new MalformedException(
                    code == HttpCode.BAD_REQUEST ? HttpCode.FIELDS_TOO_LARGE : code,
                    "the head has more than " + FIELDS_MAX + " fields");
        }
        if (bytes[from] == ' ' || bytes[from] == '\t') {
            throw malformed("a field of the head is folded over lines");
        }
        int colon = from;
        while (colon < to && isToken(bytes[colon])) {
            colon++;
        }
        if (colon == from || colon == to || bytes[colon] != ':') {
            throw malformed("a field of the head has no proper name");
        }
        int first = colon + 1;
        int last = to;
        while (first < last && isBlank(bytes[first])) {
            first++;
        }
        while (last > first && isBlank(bytes[last - 1])) {
            last--;
        }
        for (int i = first; i < last; i++) {
            if (!isOfValue(bytes[i])) {
                throw malformed("a field of the head holds control bytes");
            }
        }
        String name = text(bytes, from, colon);
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.indexOf('_') >= 0 && isOfFraming(lower.replace('_', '-'))) {
            // Some servers take one for the other (CGI writes both with '_').
            throw malformed("a field of the head is named nearly as one that ends it");
        }
        written.add(name);
        names.add(lower);
        values.add(text(bytes, first, last));
    }

    /** A list of tokens; fields that end or route the message must not be named in it. */
    private void addOptions(String list) throws MalformedException {
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            if (i < list.length() && list.charAt(i) != ',') {
                continue;
            }
            String option = list.substring(start, i).strip().toLowerCase(Locale.ROOT);
            start = i + 1;
            for (int k = 0; k < option.length(); k++) {
                if (!isToken((byte) option.charAt(k)) || option.charAt(k) > '~') {
                    throw malformed("the Connection field is no list of names");
                }
            }
            if (isOfFraming(option) && !option.equals(CONNECTION)) {
                throw malformed("the Connection field names one that is for all hops");
            }
            if (!option.isEmpty()) {
                options.add(option);
            }
        }
    }

    /** Fields that tell where a message ends and whom it is for. */
    private static boolean isOfFraming(String name) {
        return name.equals("host")
                || name.equals(CONNECTION)
                || name.equals(BodyFraming.CONTENT_LENGTH)
                || name.equals(BodyFraming.TRANSFER_ENCODING);
    }

    /** Whether a field says how a message is read, or is for one connection or for a proxy. */
    static boolean isForHeadsOnly(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        return isOfFraming(lower)
                || lower.equals("te")
                || lower.equals("trailer")
                || lower.equals("upgrade")
                || lower.equals("keep-alive")
                || lower.startsWith("proxy-");
    }

    /** One byte of the names of methods and fields (RFC 9110 §5.6.2). */
    static boolean isToken(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || (b > ' ' && MARKS.indexOf(b) >= 0);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** One byte of a value or a reason: no control bytes; bytes of no ASCII may stand there. */
    static boolean isOfValue(byte b) {
        return b == '\t' || (b >= ' ' && b != 0x7f) || b < 0;
    }

    /** Each byte as one character, so that it can be written again as it was. */
    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The refusal of a head like this one. */
    MalformedException malformed(String sentence) {
        return new MalformedException(code, sentence);
    }

    /** All values of a field, in order. */
    List<String> values(String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** The value of a field that may be there once; empty without it. */
    String only(String name, String missing) throws MalformedException {
        List<String> found = values(name);
        if (found.size() > 1) {
            throw malformed("a field that may be given once is given twice: " + name);
        }
        return found.isEmpty() ? missing : found.get(0);
    }

    boolean has(String name) {
        return names.contains(name);
    }

    /** Whether the Connection field names an option, in lower case. */
    boolean hasOption(String option) {
        return options.contains(option);
    }

    /**
     * Writes what is for both ends: not what is for one connection only, and no framing.
     *
     * @param except one more name not to write, in lower case
     */
    void copyTo(StringBuilder out, String except) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (!isHopByHop(name) && !name.equals(except)) {
                out.append(written.get(i)).append(": ").append(values.get(i)).append("\r\n");
            }
        }
    }

    private boolean isHopByHop(String name) {
        for (String hop : HOP_BY_HOP) {
            if (hop.equals(name)) {
                return true;
            }
        }
        return name.startsWith("proxy-") || options.contains(name);
    }
}
