package glove.sandbox;

import glove.sys.UnixPath;

/** A name as a word of a shell, for hints: people paste them. Stateless. */
public final class ShellWord {
    private ShellWord() {}

    /** In quotes, whatever it holds; a shell takes it as one word of exactly these characters. */
    public static String of(UnixPath path) {
        return of(path.toString());
    }

    /** The same of text. One with a control character is put so that none reaches a terminal. */
    public static String of(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        boolean controls = hasControls(text);
        out.append(controls ? "$'" : "'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (controls) {
                appendAnsi(out, c);
            } else if (c == '\'') {
                out.append("'\\''");
            } else {
                out.append(c);
            }
        }
        return out.append('\'').toString();
    }

    /**
     * The operand of a command such as chmod(1): what begins with a dash would be an option of it.
     */
    public static String operand(UnixPath path) {
        String text = path.toString();
        return of(text.startsWith("-") ? "./" + text : text);
    }

    private static boolean hasControls(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** In the words of {@code $'...'}, which bash, zsh, ksh and POSIX.1-2024 read. */
    private static void appendAnsi(StringBuilder out, char c) {
        if (c == '\'' || c == '\\') {
            out.append('\\').append(c);
        } else if (c < 0x80 && Character.isISOControl(c)) {
            out.append('\\');
            out.append((char) ('0' + (c >> 6)));
            out.append((char) ('0' + (c >> 3 & 7)));
            out.append((char) ('0' + (c & 7)));
        } else {
            out.append(c);
        }
    }
}
