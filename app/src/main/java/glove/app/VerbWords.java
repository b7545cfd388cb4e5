package glove.app;

import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line of a verb with few options: each takes a value and stands once, as {@code --name
 * VALUE} or {@code --name=VALUE}. Immutable.
 *
 * @param rest what is no option, in its order
 * @param values of the options that are there
 * @param json whether {@code --json} is there
 * @param help whether {@code -h} or {@code --help} is there: the rest does not count then
 */
record VerbWords(List<String> rest, Map<String, UnixPath> values, boolean json, boolean help) {
    /**
     * Parts the arguments of an invocation.
     *
     * @param names of the options that take a value, with their dashes
     */
    static VerbWords of(Invocation invocation, List<String> names) throws Refusal {
        List<String> rest = new ArrayList<>();
        Map<String, UnixPath> values = new HashMap<>();
        boolean json = false;
        List<byte[]> arguments = invocation.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            String word = UnixPath.of(arguments.get(i)).toString();
            if (word.equals("-h") || word.equals("--help")) {
                return new VerbWords(List.of(), Map.of(), false, true);
            }
            String name = word.startsWith("--") && word.contains("=")
                    ? word.substring(0, word.indexOf('='))
                    : word;
            if (word.equals("--json")) {
                json = true;
            } else if (names.contains(name)) {
                boolean joined = name.length() < word.length();
                if (!joined && ++i == arguments.size()) {
                    throw new Refusal(name + " wants a value", name + " VALUE");
                }
                byte[] argument = arguments.get(i);
                UnixPath value =
                        joined ? after(argument, name.length() + 1) : UnixPath.of(argument);
                if (values.put(name, value) != null) {
                    throw new Refusal(name + " is given twice", "keep one of them");
                }
            } else if (word.startsWith("-")) {
                throw new Refusal("unknown option '" + word + "'", "--help");
            } else {
                rest.add(new String(arguments.get(i), StandardCharsets.UTF_8));
            }
        }
        return new VerbWords(rest, values, json, false);
    }

    private static UnixPath after(byte[] argument, int from) {
        return UnixPath.of(Arrays.copyOfRange(argument, from, argument.length));
    }

    /** What an option says. */
    Optional<UnixPath> value(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
