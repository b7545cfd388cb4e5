package glove.app;

import glove.sandbox.AgentReach;
import glove.sys.ErrnoException;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is said of the files among an upstream's arguments and variables. Stateless. */
final class UpstreamArguments {
    /** Programs that run the directory they are given. */
    private static final List<String> RUN_DIRECTORIES =
            List.of("python", "node", "ruby", "perl", "php", "bun", "deno");

    private UpstreamArguments() {}

    /**
     * Names those the agent can change: nobody can tell whether they are code or data.
     *
     * @param start absolute, where relative ones count from
     */
    static void warn(AgentReach reach, UpstreamOptions options, UnixPath start, Notices notices)
            throws ErrnoException {
        for (String word : words(options)) {
            UnixPath path = start.resolve(UnixPath.of(word));
            Optional<UnixPath> place = reach.changing(path);
            boolean isCode = reach.isFile(path) || word.equals(directoryRun(options));
            boolean isVariable = !contains(options.argv, word);
            if (place.isPresent() && (isCode || isVariable)) {
                String rights = options.sandbox.isPresent()
                        ? "with all that this upstream may do"
                        : "with your rights";
                notices.say(options.subject() + ": the agent can change '" + UnixPath.of(word)
                        + "', by '" + place.get() + "'; should that be code, it runs " + rights
                        + ": keep code outside every writable grant");
            }
        }
    }

    /** Says of arguments that were meant from a place where it does not start. */
    static void warnRelative(
            AgentReach reach, UpstreamOptions options, UnixPath start, Notices notices) {
        for (byte[] argument : options.argv.subList(1, options.argv.size())) {
            UnixPath path = UnixPath.of(argument);
            boolean isOption = argument.length > 0 && argument[0] == '-';
            boolean isThere = path.length() > 0
                    && !isOption
                    && !path.isAbsolute()
                    && reach.isThere(start.resolve(path));
            if (isThere) {
                notices.say(options.subject() + ": it starts in '/', for the agent writes in '"
                        + start + "'; '" + path + "' counts from there now: write it in full, or "
                        + "--upstream-cwd " + options.name + ":PATH");
            }
        }
    }

    /** Whole arguments, what stands behind an = in them, and the paths variables name. */
    private static List<String> words(UpstreamOptions options) {
        List<String> words = new ArrayList<>();
        List<byte[]> all = new ArrayList<>(options.argv.subList(1, options.argv.size()));
        for (byte[] argument : all) {
            if (argument.length > 0) {
                words.add(text(argument));
            }
        }
        all.addAll(options.setVariables);
        for (byte[] entry : all) {
            String text = text(entry);
            int equals = text.indexOf('=');
            if (equals > 0) {
                addPaths(words, text.substring(equals + 1));
            }
        }
        return words;
    }

    private static void addPaths(List<String> words, String list) {
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            if (i == list.length() || ":,;".indexOf(list.charAt(i)) >= 0) {
                String part = list.substring(start, i);
                if (part.startsWith("/")) {
                    words.add(part);
                }
                start = i + 1;
            }
        }
    }

    /** The first argument that is no option, of a program that runs directories. */
    private static String directoryRun(UpstreamOptions options) {
        String program = UnixPath.of(options.argv.get(0)).name().toString();
        boolean runs = false;
        for (String known : RUN_DIRECTORIES) {
            runs |= program.startsWith(known);
        }
        for (byte[] argument : options.argv.subList(1, options.argv.size())) {
            if (runs && argument.length > 0 && argument[0] != '-') {
                return text(argument);
            }
        }
        return "";
    }

    private static boolean contains(List<byte[]> arguments, String word) {
        for (byte[] argument : arguments) {
            if (text(argument).equals(word)) {
                return true;
            }
        }
        return false;
    }

    /** A name that is no UTF-8 is told of as what it is not. */
    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }
}
