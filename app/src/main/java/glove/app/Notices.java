package glove.app;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What Glove itself says on stderr while an agent may be drawing on the same terminal. Confined to
 * the run's thread.
 */
final class Notices {
    private final String verb;
    private Optional<Terminal> screen = Optional.empty();
    private boolean raw;

    /** Each line begins with {@code glove VERB}. */
    Notices(String verb) {
        this.verb = verb;
    }

    /** Whether the terminal is in raw mode: a line then has to return the carriage by itself. */
    void setRaw(boolean raw) {
        this.raw = raw;
    }

    /** While stderr is this terminal: one that takes nothing must not hold up the run. */
    void sayOn(Optional<Terminal> terminal) {
        screen = terminal;
    }

    /** One line. */
    void say(String sentence) {
        String before = raw ? "\r" : "";
        String end = raw ? "\r\n" : "\n";
        write(before + "glove " + verb + ": " + sentence + end);
    }

    /** A line that tells what to type. */
    void suggest(String command) {
        write("Try: " + command + (raw ? "\r\n" : "\n"));
    }

    /** Text as it is. */
    void print(String text) {
        write(text);
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (screen.isPresent()) {
            screen.get().show(bytes);
            return;
        }
        PrintStream err = System.err;
        err.write(bytes, 0, bytes.length);
        err.flush();
    }
}
