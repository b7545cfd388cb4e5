package glove.app;

import glove.sys.UnixPath;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a git configuration file entry by entry, as strictly as git itself (git-config(1), Syntax):
 * sections, subsections, comments, quotes, escapes, continued lines. Confined to one thread.
 */
final class GitConfigReader {
    private static final int END = -1;

    /** The file is none that git would take. */
    static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int line;

        SyntaxException(int line) {
            super("bad line " + line);
            this.line = line;
        }

        /** Counted from one. */
        int line() {
            return line;
        }
    }

    private final byte[] text;
    private int at;
    private int line = 1;
    private String section = "";
    private String key = "";
    private byte[] value = new byte[0];

    GitConfigReader(byte[] text) {
        this.text = text;
        boolean mark = text.length >= 3
                && text[0] == (byte) 0xef
                && text[1] == (byte) 0xbb
                && text[2] == (byte) 0xbf;
        this.at = mark ? 3 : 0;
    }

    /** Goes to the next entry; false at the end. */
    boolean next() throws SyntaxException {
        for (; ; ) {
            int c = read();
            if (c == END) {
                return false;
            }
            if (c == '#' || c == ';') {
                skipLine();
            } else if (c == '[') {
                readSection();
            } else if (isLetter(c)) {
                readEntry(c);
                return true;
            } else if (!isSpace(c)) {
                throw new SyntaxException(line);
            }
        }
    }

    /**
     * Section and variable in lower case, {@code user.name}; a subsection stands between, in
     * quotes, so that nothing in it looks like another section.
     */
    String name() {
        return section + "." + key;
    }

    /** The value; empty for a variable without one. */
    byte[] value() {
        return value.clone();
    }

    /** The value as a path, when it can be one. */
    Optional<UnixPath> path() {
        for (byte b : value) {
            if (b == 0) {
                return Optional.empty();
            }
        }
        return value.length == 0 ? Optional.empty() : Optional.of(UnixPath.of(value));
    }

    /** A carriage return before a line's end is part of it. */
    private int read() {
        if (at == text.length) {
            return END;
        }
        if (text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n') {
            at++;
        }
        int c = text[at++] & 0xff;
        line += c == '\n' ? 1 : 0;
        return c;
    }

    private void skipLine() {
        int c;
        do {
            c = read();
        } while (c != END && c != '\n');
    }

    private void readSection() throws SyntaxException {
        StringBuilder name = new StringBuilder();
        for (int c = read(); c != ']'; c = read()) {
            if (isSpace(c) && c != '\n') {
                readSubsection(name);
                break;
            }
            if (!isLetter(c) && !isDigit(c) && c != '-' && c != '.') {
                throw new SyntaxException(line);
            }
            name.append((char) lower(c));
        }
        section = name.toString();
    }

    private void readSubsection(StringBuilder name) throws SyntaxException {
        int c = read();
        while (isSpace(c) && c != '\n') {
            c = read();
        }
        if (c != '"') {
            throw new SyntaxException(line);
        }
        name.append('"');
        for (c = read(); c != '"'; c = read()) {
            if (c == '\\') {
                c = read();
            }
            if (c == END || c == '\n') {
                throw new SyntaxException(line);
            }
            name.append((char) c);
        }
        name.append('"');
        if (read() != ']') {
            throw new SyntaxException(line);
        }
    }

    private void readEntry(int first) throws SyntaxException {
        if (section.isEmpty()) {
            throw new SyntaxException(line);
        }
        StringBuilder name = new StringBuilder();
        int c = first;
        while (isLetter(c) || isDigit(c) || c == '-') {
            name.append((char) lower(c));
            c = read();
        }
        while (c == ' ' || c == '\t') {
            c = read();
        }
        key = name.toString();
        value = new byte[0];
        if (c == '=') {
            value = readValue();
        } else if (c != '\n' && c != END) {
            throw new SyntaxException(line);
        }
    }

    private byte[] readValue() throws SyntaxException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean quoted = false;
        int trimmed = 0; // up to what is not space outside of quotes
        for (; ; ) {
            int c = read();
            if (c == END || c == '\n') {
                if (quoted) {
                    throw new SyntaxException(line);
                }
                return Arrays.copyOf(out.toByteArray(), trimmed);
            }
            if (!quoted && isSpace(c)) {
                if (out.size() > 0) {
                    out.write(c);
                }
                continue;
            }
            if (!quoted && (c == '#' || c == ';')) {
                skipLine();
                return Arrays.copyOf(out.toByteArray(), trimmed);
            }
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\') {
                readEscape(out);
            } else {
                out.write(c);
            }
            trimmed = out.size();
        }
    }

    private void readEscape(ByteArrayOutputStream out) throws SyntaxException {
        int c = read();
        switch (c) {
            case '\n' -> {} // the value goes on in the next line
            case 't' -> out.write('\t');
            case 'b' -> out.write('\b');
            case 'n' -> out.write('\n');
            case '\\', '"' -> out.write(c);
            default -> throw new SyntaxException(line);
        }
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0x0b || c == 0x0c;
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
    }
}
