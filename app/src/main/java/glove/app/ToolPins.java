package glove.app;

import glove.gateway.PinException;
import glove.gateway.UpstreamPins;
import glove.gateway.UpstreamPins.Definition;
import glove.journal.DurableFileException;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sandbox.Trouble;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code glove tools diff} and {@code glove tools accept}: what upstreams say of their tools that
 * their owner has not accepted. Confined to one thread.
 */
final class ToolPins {
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_WAITING = 1;

    /** Digits of a digest in a command to paste: enough that nobody finds another with the same. */
    private static final int DIGITS_SHOWN = 16;

    private static final int DIGITS_MIN = 8;
    private static final String ALL = "--all";

    private final Linux linux;
    private final Invocation invocation;

    /** The pins of one command of an upstream. */
    private record Kept(String key, UpstreamPins pins) {
        String upstream() {
            return PinDirectory.upstream(key);
        }
    }

    /** A definition that waits, and where. */
    private record Waiting(Kept kept, Definition definition) {}

    ToolPins(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /**
     * Shows what waits.
     *
     * @param words names of upstreams; none for all
     * @return 0 when nothing waits, 1 when something does
     */
    int diff(List<String> words, boolean json) throws Refusal {
        if (words.size() > 1) {
            throw new Refusal("'diff' takes one name of an upstream", "glove tools diff");
        }
        Optional<PinDirectory> opened = PinDirectory.openIfPresent(linux, invocation);
        List<Kept> all = new ArrayList<>();
        if (opened.isPresent()) {
            try (PinDirectory pins = opened.get()) {
                all = read(pins, words.isEmpty() ? "" : words.get(0));
            }
        } else if (!words.isEmpty()) {
            throw nothingPinned(words.get(0), List.of());
        }
        List<Waiting> waiting = waiting(all);
        int printed = Output.print(json ? data(waiting) : text(all));
        return waiting.isEmpty() ? printed : EXIT_WAITING;
    }

    private List<Kept> read(PinDirectory pins, String name) throws Refusal {
        List<Kept> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try {
            for (String key : pins.keys()) {
                String upstream = PinDirectory.upstream(key);
                if (!names.contains(upstream)) {
                    names.add(upstream);
                }
                if (!name.isEmpty() && !name.equals(upstream)) {
                    continue;
                }
                Optional<byte[]> content = pins.read(key);
                if (content.isPresent()) {
                    all.add(new Kept(key, UpstreamPins.read(content.get())));
                }
            }
            if (all.isEmpty() && !name.isEmpty()) {
                throw nothingPinned(name, names);
            }
            return all;
        } catch (PinException e) {
            throw new Refusal(
                    String.valueOf(e.getMessage()),
                    "ls -l " + ShellWord.of(shownPath(pins)) + ", and remove what is broken");
        } catch (ErrnoException e) {
            throw Trouble.refusal("cannot list what is pinned", e);
        }
    }

    private static String shownPath(PinDirectory pins) {
        try {
            return pins.path().toString();
        } catch (ErrnoException e) {
            return PinDirectory.DIRECTORY;
        }
    }

    private static Refusal nothingPinned(String name, List<String> names) {
        return new Refusal(
                "nothing is pinned of an upstream '" + TerminalText.of(name) + "'"
                        + (names.isEmpty() ? "" : ", but of " + String.join(", ", names)),
                "glove tools diff");
    }

    private static List<Waiting> waiting(List<Kept> all) {
        List<Waiting> waiting = new ArrayList<>();
        for (Kept kept : all) {
            for (Definition definition : kept.pins().allOffered()) {
                waiting.add(new Waiting(kept, definition));
            }
        }
        return waiting;
    }

    private static String text(List<Kept> all) {
        StringBuilder out = new StringBuilder();
        for (Kept kept : all) {
            if (kept.pins().allOffered().isEmpty()) {
                continue;
            }
            out.append(out.isEmpty() ? "" : "\n").append(kept.upstream()).append(": ");
            out.append(TerminalText.of(kept.pins().command())).append('\n');
            for (Definition definition : kept.pins().allOffered()) {
                out.append(PinDifference.of(kept.pins(), definition).text());
                out.append("Try: ").append(command(kept, definition)).append('\n');
            }
        }
        return out.isEmpty() ? "nothing waits\n" : out.toString();
    }

    /** Accepts exactly what was shown, whatever comes meanwhile; no word of others is in it. */
    private static String command(Kept kept, Definition definition) {
        String digits = definition.digest().substring(0, DIGITS_SHOWN);
        String name = isPlain(definition.name()) ? definition.name() : "";
        return "glove tools accept " + kept.upstream() + " " + name + "@" + digits;
    }

    /** Whether a shell takes it as a word, and no option. */
    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean more = (c >= '0' && c <= '9') || c == '_' || (i > 0 && (c == '-' || c == '.'));
            if (!letter && !more) {
                return false;
            }
        }
        return true;
    }

    private static String data(List<Waiting> waiting) {
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION).name("waiting").beginArray();
        for (Waiting one : waiting) {
            PinDifference difference = PinDifference.of(one.kept().pins(), one.definition());
            data.beginObject()
                    .member("upstream", one.kept().upstream())
                    .member("command", one.kept().pins().command())
                    .member("kind", one.definition().kind())
                    .member("name", one.definition().name());
            if (difference.before().isPresent()) {
                data.member("pinned_digest", difference.before().get().digest());
            }
            data.member("digest", one.definition().digest()).name("changes").beginArray();
            for (PinDifference.Change change : difference.changes()) {
                data.beginObject().member("place", change.place());
                if (change.before().isPresent()) {
                    data.name("before").value(change.before().get());
                }
                if (change.now().isPresent()) {
                    data.name("now").value(change.now().get());
                }
                data.endObject();
            }
            data.endArray().endObject();
        }
        return data.endArray().endObject().toJson() + "\n";
    }

    /**
     * Pins what waits.
     *
     * @param words the upstream's name, and what of it: names, digests, or {@code --all}
     */
    int accept(List<String> words) throws Refusal {
        if (words.isEmpty()) {
            throw new Refusal(
                    "accept what? 'accept' takes the name of an upstream", "glove tools diff");
        }
        String name = words.get(0);
        Optional<PinDirectory> opened = PinDirectory.openIfPresent(linux, invocation);
        if (opened.isEmpty()) {
            throw nothingPinned(name, List.of());
        }
        try (PinDirectory pins = opened.get()) {
            List<Waiting> waiting = waiting(read(pins, name));
            List<Waiting> chosen = chosen(name, waiting, words.subList(1, words.size()));
            if (chosen.isEmpty()) {
                return Output.print("nothing waits\n");
            }
            StringBuilder out = new StringBuilder();
            try {
                for (Waiting one : chosen) {
                    pin(pins, one);
                    out.append("pinned ").append(PinDifference.subject(one.definition()));
                    out.append(" of ").append(name).append(": sha256:");
                    out.append(one.definition().digest()).append('\n');
                }
            } catch (PinException e) {
                Output.print(out.toString());
                throw new Refusal(
                        EXIT_FAILED,
                        String.valueOf(e.getMessage()),
                        List.of("glove tools diff " + name));
            }
            return Output.print(out.toString());
        }
    }

    private static List<Waiting> chosen(String name, List<Waiting> waiting, List<String> words)
            throws Refusal {
        if (words.contains(ALL)) {
            if (words.size() > 1) {
                throw new Refusal(
                        ALL + " and names do not go together",
                        "glove tools accept " + name + " " + ALL);
            }
            return waiting;
        }
        if (words.isEmpty()) {
            if (waiting.size() > 1) {
                throw new Refusal(
                        waiting.size() + " definitions wait: which?",
                        "glove tools diff " + name,
                        "glove tools accept " + name + " " + ALL);
            }
            return waiting;
        }
        List<Waiting> chosen = new ArrayList<>();
        for (String word : words) {
            for (Waiting one : matching(name, waiting, word)) {
                if (!chosen.contains(one)) {
                    chosen.add(one);
                }
            }
        }
        return chosen;
    }

    /** Of two commands of an upstream the same definition may wait; different ones must be told. */
    private static List<Waiting> matching(String name, List<Waiting> waiting, String word)
            throws Refusal {
        List<Waiting> found = new ArrayList<>();
        for (Waiting one : waiting) {
            if (matches(one.definition(), word)) {
                found.add(one);
            }
        }
        String shown = "'" + TerminalText.of(word) + "'";
        if (found.isEmpty()) {
            throw new Refusal(
                    EXIT_FAILED,
                    "nothing that waits of '" + name + "' is " + shown
                            + ": it is accepted already, has changed, or never was there",
                    List.of("glove tools diff " + name));
        }
        for (Waiting one : found) {
            if (!one.definition().equals(found.get(0).definition())) {
                throw new Refusal(
                        shown + " is the name of several that wait: say by its digest which",
                        "glove tools diff " + name);
            }
        }
        return found;
    }

    private static boolean matches(Definition definition, String word) {
        String name = definition.name().isEmpty() ? definition.kind() : definition.name();
        if (word.equals(name)) {
            return true;
        }
        int at = word.lastIndexOf('@');
        String digits = word.substring(at + 1);
        boolean named = at == 0 || (at > 0 && word.substring(0, at).equals(name));
        return named && digits.length() >= DIGITS_MIN && definition.digest().startsWith(digits);
    }

    private static void pin(PinDirectory pins, Waiting one) throws PinException {
        Definition wanted = one.definition();
        pins.change(one.kept().key(), old -> {
            try {
                UpstreamPins kept = UpstreamPins.read(old.orElseThrow(() -> gone(wanted)));
                boolean waits = kept.offered(wanted.kind(), wanted.name())
                        .filter(wanted::equals)
                        .isPresent();
                if (!waits) {
                    throw gone(wanted);
                }
                kept.pin(wanted);
                return Optional.of(kept.toBytes());
            } catch (PinException e) {
                throw new DurableFileException(String.valueOf(e.getMessage()));
            }
        });
    }

    private static DurableFileException gone(Definition wanted) {
        return new DurableFileException(
                PinDifference.subject(wanted) + " has changed meanwhile and was not accepted");
    }
}
