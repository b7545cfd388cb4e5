package glove.app;

import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The words of a command line, read one option at a time. A value is the next word, or stands
 * behind {@code =} in the same word. Confined to one thread.
 */
final class OptionWords {
    private final String seeHelp;
    private final List<byte[]> words;
    private int next;
    private byte[] word = new byte[0];
    private String name = "";
    private Optional<byte[]> attached = Optional.empty();

    /**
     * All of them.
     *
     * @param seeHelp what to type for help
     */
    OptionWords(List<byte[]> words, String seeHelp) {
        this.words = words;
        this.seeHelp = seeHelp;
    }

    /** Goes on to the next option; false at {@code --} and at the end. */
    boolean advance() {
        if (next == words.size() || isEndOfOptions(words.get(next))) {
            return false;
        }
        word = words.get(next++);
        int equals = indexOf(word, '=');
        name = ascii(equals < 0 ? word : Arrays.copyOf(word, equals));
        attached = equals < 0
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(word, equals + 1, word.length));
        return true;
    }

    /** What stands behind {@code --}; empty when there is none. */
    Optional<List<byte[]>> behind() {
        return next == words.size()
                ? Optional.empty()
                : Optional.of(List.copyOf(words.subList(next + 1, words.size())));
    }

    /** The option, without a value behind {@code =}. */
    String name() {
        return name;
    }

    /** The whole word, for messages. */
    String shown() {
        return UnixPath.of(word).toString();
    }

    /** The whole word, where it is no option. */
    UnixPath whole() {
        return UnixPath.of(word);
    }

    /** The option is given; it must have no value. */
    boolean flag() throws Refusal {
        if (attached.isPresent()) {
            throw new Refusal(name + " takes no value", name);
        }
        return true;
    }

    /** Its value, which must not be empty, as a path. */
    UnixPath path() throws Refusal {
        byte[] value = value();
        if (value.length == 0) {
            throw new Refusal(name + " has an empty value", seeHelp);
        }
        return UnixPath.of(value);
    }

    /** Its value as text; what is no UTF-8 becomes U+FFFD, which no name holds. */
    String text() throws Refusal {
        return new String(value(), StandardCharsets.UTF_8);
    }

    /** Its value. */
    byte[] value() throws Refusal {
        if (attached.isPresent()) {
            return attached.get();
        }
        if (next == words.size() || isEndOfOptions(words.get(next))) {
            throw new Refusal(name + " needs a value", seeHelp);
        }
        return words.get(next++);
    }

    /** Where a byte stands first; -1 when it does not. */
    static int indexOf(byte[] word, char wanted) {
        for (int i = 0; i < word.length; i++) {
            if (word[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isEndOfOptions(byte[] word) {
        return word.length == 2 && word[0] == '-' && word[1] == '-';
    }

    private static String ascii(byte[] word) {
        return new String(word, StandardCharsets.ISO_8859_1);
    }
}
