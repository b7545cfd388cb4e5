package glove.egress;

import glove.sys.IpAddress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What hosts(5) says of a name. Stateless. */
final class HostsFile {
    private HostsFile() {}

    /**
     * The addresses of a name, in the order of the file.
     *
     * @param text of the file; a line that is no entry is passed over
     */
    static List<IpAddress> addresses(byte[] text, HostName name) {
        byte[] wanted = name.toString().getBytes(StandardCharsets.US_ASCII);
        List<IpAddress> found = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '\n') {
                read(text, start, i, wanted, found);
                start = i + 1;
            }
        }
        return found;
    }

    private static void read(byte[] text, int from, int to, byte[] wanted, List<IpAddress> found) {
        int addressAt = skipBlanks(text, from, to);
        int addressEnd = skipWord(text, addressAt, to);
        int at = skipBlanks(text, addressEnd, to);
        while (at < to && text[at] != '#') {
            int end = skipWord(text, at, to);
            if (matches(text, at, end, wanted)) {
                String address = new String(
                        text, addressAt, addressEnd - addressAt, StandardCharsets.ISO_8859_1);
                Optional<IpAddress> parsed = IpAddress.parse(address);
                if (parsed.isPresent()) {
                    found.add(parsed.get());
                }
                return;
            }
            at = skipBlanks(text, end, to);
        }
    }

    private static int skipBlanks(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isBlank(text[at])) {
            at++;
        }
        return at;
    }

    private static int skipWord(byte[] text, int from, int to) {
        int at = from;
        while (at < to && !isBlank(text[at]) && text[at] != '#') {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    /** Without regard to case, and to a dot at the end. */
    private static boolean matches(byte[] text, int from, int to, byte[] wanted) {
        int end = to > from && text[to - 1] == '.' ? to - 1 : to;
        if (end - from != wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            byte b = text[from + i];
            if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
