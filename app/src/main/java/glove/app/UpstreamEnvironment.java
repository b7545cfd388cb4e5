package glove.app;

import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The environment of an upstream that is not contained: what every program of a person expects, and
 * what was asked for. The rest, keys for models say, is none of its business. Stateless.
 */
final class UpstreamEnvironment {
    private static final String[] PASSED = {
        "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TZ", "TMPDIR",
    };

    private static final String[] PASSED_PREFIXES = {"LC_", "XDG_"};

    private UpstreamEnvironment() {}

    /** All of it, {@code NAME=VALUE}; what is set comes last and replaces. */
    static List<byte[]> of(Invocation invocation, UpstreamOptions upstream) throws Refusal {
        List<byte[]> entries = new ArrayList<>();
        for (byte[] entry : invocation.environment()) {
            if (isPassed(nameOf(entry))) {
                put(entries, entry);
            }
        }
        for (byte[] name : upstream.copiedVariables) {
            Optional<byte[]> value = invocation.variable(name);
            if (value.isEmpty()) {
                String shown = UnixPath.of(name).toString();
                String option = "--upstream-env " + upstream.name + ":" + shown;
                throw new Refusal(
                        option + ": it is not set in your environment",
                        "export " + shown + "=..., or " + option + "=VALUE");
            }
            byte[] entry = Arrays.copyOf(name, name.length + 1 + value.get().length);
            entry[name.length] = '=';
            System.arraycopy(value.get(), 0, entry, name.length + 1, value.get().length);
            put(entries, entry);
        }
        for (byte[] entry : upstream.setVariables) {
            put(entries, entry);
        }
        return entries;
    }

    private static boolean isPassed(String name) {
        for (String passed : PASSED) {
            if (passed.equals(name)) {
                return true;
            }
        }
        for (String prefix : PASSED_PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static void put(List<byte[]> entries, byte[] entry) {
        for (int i = 0; i < entries.size(); i++) {
            if (nameOf(entries.get(i)).equals(nameOf(entry))) {
                entries.set(i, entry);
                return;
            }
        }
        entries.add(entry);
    }

    /** Empty for what has none. */
    private static String nameOf(byte[] entry) {
        int end = Math.max(0, OptionWords.indexOf(entry, '='));
        return new String(entry, 0, end, StandardCharsets.ISO_8859_1);
    }
}
