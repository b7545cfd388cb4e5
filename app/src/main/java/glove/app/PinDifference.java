package glove.app;

import glove.gateway.UpstreamPins;
import glove.gateway.UpstreamPins.Definition;
import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a waiting definition says that the pinned one does not, member by member. All of it is the
 * upstream's words, so all of it is shown quoted and with what is invisible spelled out. Immutable.
 *
 * @param before the pinned one; empty when none is
 * @param now the one that waits
 */
record PinDifference(Optional<Definition> before, Definition now, List<Change> changes) {
    /**
     * One member that differs.
     *
     * @param place JSON Pointer to it; empty for the whole
     * @param before empty when there was none
     * @param now empty when there is none any more
     */
    record Change(String place, Optional<JsonValue> before, Optional<JsonValue> now) {}

    /** Of a definition that waits. */
    static PinDifference of(UpstreamPins pins, Definition waiting) {
        Optional<Definition> before = pins.pinned(waiting.kind(), waiting.name());
        List<Change> changes = new ArrayList<>();
        JsonValue now = value(waiting);
        if (before.isPresent()) {
            compare("", value(before.get()), now, changes);
        } else if (now.is(JsonKind.OBJECT)) {
            for (JsonValue member : now.children()) {
                changes.add(new Change(
                        place("", member.name()), Optional.empty(), Optional.of(member)));
            }
        } else {
            changes.add(new Change("", Optional.empty(), Optional.of(now)));
        }
        return new PinDifference(before, waiting, List.copyOf(changes));
    }

    private static JsonValue value(Definition definition) {
        byte[] text = definition.definition().getBytes(StandardCharsets.UTF_8);
        try {
            return JsonText.value(text, JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new IllegalStateException("it was read from a text that was checked", e);
        }
    }

    private static void compare(
            String place, JsonValue before, JsonValue now, List<Change> changes) {
        if (before.toJson().equals(now.toJson())) {
            return;
        }
        if (before.is(JsonKind.OBJECT) && now.is(JsonKind.OBJECT)) {
            compareMembers(place, before, now, changes);
        } else if (before.is(JsonKind.ARRAY) && now.is(JsonKind.ARRAY)) {
            compareElements(place, before, now, changes);
        } else {
            changes.add(new Change(place, Optional.of(before), Optional.of(now)));
        }
    }

    private static void compareMembers(
            String place, JsonValue before, JsonValue now, List<Change> changes) {
        for (JsonValue old : before.children()) {
            Optional<JsonValue> same = now.member(old.name());
            if (same.isPresent()) {
                compare(place(place, old.name()), old, same.get(), changes);
            } else {
                changes.add(
                        new Change(place(place, old.name()), Optional.of(old), Optional.empty()));
            }
        }
        for (JsonValue fresh : now.children()) {
            if (before.member(fresh.name()).isEmpty()) {
                changes.add(new Change(
                        place(place, fresh.name()), Optional.empty(), Optional.of(fresh)));
            }
        }
    }

    private static void compareElements(
            String place, JsonValue before, JsonValue now, List<Change> changes) {
        List<JsonValue> old = before.children();
        List<JsonValue> fresh = now.children();
        for (int i = 0; i < Math.max(old.size(), fresh.size()); i++) {
            String at = place(place, Integer.toString(i));
            if (i >= fresh.size()) {
                changes.add(new Change(at, Optional.of(old.get(i)), Optional.empty()));
            } else if (i >= old.size()) {
                changes.add(new Change(at, Optional.empty(), Optional.of(fresh.get(i))));
            } else {
                compare(at, old.get(i), fresh.get(i), changes);
            }
        }
    }

    private static String place(String parent, String name) {
        return parent + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** As a unified difference, each line with its line feed. */
    String text() {
        StringBuilder out = new StringBuilder();
        String what = subject(now);
        out.append(before.isPresent() ? "--- " + what : "--- nothing is pinned");
        out.append(before.isPresent() ? ", pinned sha256:" + before.get().digest() : "");
        out.append("\n+++ ").append(what).append(", waiting sha256:").append(now.digest());
        out.append('\n');
        for (Change change : changes) {
            out.append("@@ ").append(TerminalText.of(change.place())).append('\n');
            List<String> old = lines(change.before());
            List<String> fresh = lines(change.now());
            int same = commonStart(old, fresh);
            int tail = commonEnd(old, fresh, same);
            addSame(out, same);
            add(out, '-', old.subList(same, old.size() - tail));
            add(out, '+', fresh.subList(same, fresh.size() - tail));
            addSame(out, tail);
        }
        return out.toString();
    }

    /** As {@code tool "read"}. */
    static String subject(Definition definition) {
        String name = definition.name();
        String kind = TerminalText.of(definition.kind());
        return name.isEmpty() ? kind : kind + " " + TerminalText.quoted(name);
    }

    /** A text in its lines, each quoted; another value in one line. */
    private static List<String> lines(Optional<JsonValue> value) {
        List<String> lines = new ArrayList<>();
        if (value.isEmpty()) {
            return lines;
        }
        if (!value.get().is(JsonKind.STRING)) {
            lines.add(TerminalText.of(value.get().toJson()));
            return lines;
        }
        String text = value.get().string();
        int start = 0;
        while (start < text.length() || start == 0) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end + 1;
            lines.add(TerminalText.quoted(text.substring(start, end)));
            if (end == text.length()) {
                break;
            }
            start = end;
        }
        return lines;
    }

    private static int commonStart(List<String> old, List<String> fresh) {
        int most = Math.min(old.size(), fresh.size());
        int same = 0;
        while (same < most && old.get(same).equals(fresh.get(same))) {
            same++;
        }
        return same;
    }

    private static int commonEnd(List<String> old, List<String> fresh, int start) {
        int most = Math.min(old.size(), fresh.size()) - start;
        int same = 0;
        while (same < most
                && old.get(old.size() - 1 - same).equals(fresh.get(fresh.size() - 1 - same))) {
            same++;
        }
        return same;
    }

    private static void addSame(StringBuilder out, int lines) {
        if (lines > 0) {
            out.append("  (").append(lines).append(lines == 1 ? " line" : " lines");
            out.append(" as before)\n");
        }
    }

    private static void add(StringBuilder out, char mark, List<String> lines) {
        for (String line : lines) {
            out.append(mark).append(line).append('\n');
        }
    }
}
