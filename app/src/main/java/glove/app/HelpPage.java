package glove.app;

import glove.sys.Bug;

import java.util.ArrayList;
import java.util.List;

/**
 * A verb's help text, taken apart: the text a person reads is the one table of its options, and
 * completion and the manual are made from it. Immutable.
 *
 * <p>The form: {@code usage:} lines first; paragraphs at the margin; entries two columns in, each a
 * word, or options and the name of a value, then what it does; lines further in go on with the
 * entry above; {@code example:} lines last. {@code (+)} says that an option may be repeated.
 *
 * @param verb its name
 * @param usage each way to call it, without {@code usage:}
 * @param paragraphs what stands at the margin otherwise, each in one line
 * @param words what may stand in the place of an option, as {@code list}
 * @param examples without {@code example:}
 */
record HelpPage(
        String verb,
        List<String> usage,
        List<String> paragraphs,
        List<Entry> words,
        List<Option> options,
        List<String> examples) {
    private static final String USAGE = "usage:";
    private static final String EXAMPLE = "example:";
    private static final String REPEATABLE = "(+)";

    /** A word and what it is for. */
    record Entry(String name, String text) {}

    /**
     * @param names all of them, the long one last
     * @param value the name of its value; empty for a flag
     */
    record Option(List<String> names, String value, String text, boolean repeatable) {
        /** The name without dashes by which completions know it. */
        String longName() {
            String last = names.get(names.size() - 1);
            return last.substring(2);
        }

        /** The one-letter name without its dash; empty when there is none. */
        String letter() {
            String first = names.get(0);
            return first.startsWith("--") ? "" : first.substring(1);
        }
    }

    /** Copies the lists. */
    HelpPage {
        usage = List.copyOf(usage);
        paragraphs = List.copyOf(paragraphs);
        words = List.copyOf(words);
        options = List.copyOf(options);
        examples = List.copyOf(examples);
    }

    /** With another page's options behind its own, but for those it has itself. */
    HelpPage withOptionsOf(HelpPage other) {
        List<Option> all = new ArrayList<>(options);
        for (Option option : other.options) {
            boolean known = false;
            for (Option own : options) {
                known |= own.longName().equals(option.longName());
            }
            if (!known) {
                all.add(option);
            }
        }
        return new HelpPage(verb, usage, paragraphs, words, all, examples);
    }

    /** Takes a help text apart; one that has another form is a bug. */
    static HelpPage parse(String verb, String text) {
        return new Parser(verb).parse(text);
    }

    private static final class Parser {
        private final String verb;
        private final List<String> usage = new ArrayList<>();
        private final List<String> paragraphs = new ArrayList<>();
        private final List<Entry> words = new ArrayList<>();
        private final List<Option> options = new ArrayList<>();
        private final List<String> examples = new ArrayList<>();
        private final StringBuilder open = new StringBuilder();
        private boolean inEntry;

        Parser(String verb) {
            this.verb = verb;
        }

        HelpPage parse(String text) {
            int start = 0;
            while (start < text.length()) {
                int end = text.indexOf('\n', start);
                end = end < 0 ? text.length() : end;
                add(text.substring(start, end));
                start = end + 1;
            }
            finish();
            return new HelpPage(verb, usage, paragraphs, words, options, examples);
        }

        private void add(String line) {
            int indent = 0;
            while (indent < line.length() && line.charAt(indent) == ' ') {
                indent++;
            }
            String words = line.strip();
            if (words.isEmpty()) {
                finish();
            } else if (line.startsWith(USAGE)) {
                finish();
                usage.add(line.substring(USAGE.length()).strip());
            } else if (line.startsWith(EXAMPLE)) {
                finish();
                examples.add(line.substring(EXAMPLE.length()).strip());
            } else if (indent > 2 && open.isEmpty() && !usage.isEmpty()) {
                usage.add(words);
            } else if (indent == 2) {
                finish();
                inEntry = true;
                open.append(words);
            } else {
                open.append(open.isEmpty() ? "" : " ").append(words);
            }
        }

        private void finish() {
            String all = open.toString();
            open.setLength(0);
            if (all.isEmpty()) {
                return;
            }
            if (!inEntry) {
                paragraphs.add(all);
            } else if (all.startsWith("-")) {
                addOption(all);
            } else {
                int end = all.indexOf(' ');
                words.add(new Entry(all.substring(0, end), all.substring(end).strip()));
            }
            inEntry = false;
        }

        private void addOption(String all) {
            List<String> names = new ArrayList<>();
            int at = 0;
            boolean more = true;
            while (more) {
                int end = wordEnd(all, at);
                more = all.charAt(end - 1) == ',';
                names.add(all.substring(at, more ? end - 1 : end));
                at = more ? end + 1 : end;
            }
            String rest = all.substring(at).strip();
            // One space before the name of a value, more before a text.
            int end = wordEnd(rest, 0);
            boolean valued = !all.startsWith("  ", at) && isValueName(rest.substring(0, end));
            String value = valued ? rest.substring(0, end) : "";
            String text = rest.substring(value.length()).strip();
            boolean repeatable = text.contains(REPEATABLE);
            String plain = text.replace(" " + REPEATABLE, "");
            if (!names.get(names.size() - 1).startsWith("--") || plain.isEmpty()) {
                throw new Bug("no option's line in the help of " + verb + ": " + all);
            }
            options.add(new Option(List.copyOf(names), value, plain, repeatable));
        }

        private static int wordEnd(String text, int from) {
            int end = text.indexOf(' ', from);
            return end < 0 ? text.length() : end;
        }

        private static boolean isValueName(String word) {
            for (int i = 0; i < word.length(); i++) {
                char c = word.charAt(i);
                if (!(c >= 'A' && c <= 'Z') && "=|:,.".indexOf(c) < 0) {
                    return false;
                }
            }
            return !word.isEmpty();
        }
    }
}
