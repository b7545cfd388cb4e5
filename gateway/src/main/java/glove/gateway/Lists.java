package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the lists of one run of an upstream, all pages of each, at its start and when it tells of
 * a change: at most once in a while, however often it tells. Confined to the gateway's thread.
 */
final class Lists {
    private static final long MILLI = 1_000_000L;

    /** Of one list. */
    private static final long BYTES_MAX = 32 << 20;

    /** One list being read, or not. */
    private static final class Reading {
        private boolean isRunning;
        private boolean isWanted;
        private boolean isDone;
        private long notBefore;
        private int pages;
        private long bytes;
        private final List<JsonValue> items = new ArrayList<>();
        private final Set<String> cursors = new HashSet<>();

        private void begin() {
            isRunning = true;
            isWanted = false;
            pages = 0;
            bytes = 0;
            items.clear();
            cursors.clear();
        }
    }

    private final Hub hub;
    private final UpstreamSession upstream;
    private final Map<ListKind, Reading> readings = new EnumMap<>(ListKind.class);

    Lists(Hub hub, UpstreamSession upstream) {
        this.hub = hub;
        this.upstream = upstream;
    }

    /** Reads all it has that somebody may see; the others are empty from now on. */
    void readAll() {
        for (ListKind kind : ListKind.values()) {
            boolean has = upstream.hello().has(kind.capability());
            if (has && hub.policy.mentions(kind, upstream.spec().name())) {
                Reading reading = new Reading();
                readings.put(kind, reading);
                begin(kind, reading);
            } else {
                upstream.catalogue().replace(kind, List.of());
            }
        }
    }

    /** Whether each was read once, or could not be. */
    boolean isComplete() {
        for (Reading reading : readings.values()) {
            if (!reading.isDone) {
                return false;
            }
        }
        return true;
    }

    /** One has changed. */
    void changed(ListKind kind) {
        Reading reading = readings.get(kind);
        if (reading == null) {
            return;
        }
        if (reading.isRunning || hub.now() - reading.notBefore < 0) {
            reading.isWanted = true;
        } else {
            begin(kind, reading);
        }
    }

    /** Somebody looks at one: if the upstream would not tell of a change, it is read again. */
    void looked(ListKind kind) {
        if (!upstream.hello().announces().contains(kind)) {
            changed(kind);
        }
    }

    /** Reads what waited for its time. */
    void expire(long now) {
        for (Map.Entry<ListKind, Reading> entry : readings.entrySet()) {
            Reading reading = entry.getValue();
            if (isDue(reading) && now - reading.notBefore >= 0) {
                begin(entry.getKey(), reading);
            }
        }
    }

    private static boolean isDue(Reading reading) {
        return reading.isWanted && !reading.isRunning;
    }

    /** The earliest moment one is to be read, or the given one when that is earlier. */
    long earliest(long other) {
        long earliest = other;
        for (Reading reading : readings.values()) {
            if (isDue(reading) && reading.notBefore - earliest < 0) {
                earliest = reading.notBefore;
            }
        }
        return earliest;
    }

    private void begin(ListKind kind, Reading reading) {
        reading.begin();
        ask(kind, reading, Optional.empty());
    }

    private void ask(ListKind kind, Reading reading, Optional<String> cursor) {
        JsonWriter params = new JsonWriter().beginObject();
        cursor.ifPresent(from -> params.member("cursor", from));
        OwnRequest request = new OwnRequest(
                answer -> page(kind, reading, answer), reason -> failed(kind, reading, reason));
        upstream.askOwn(request, kind.method(), params.endObject().toBytes());
    }

    private void page(ListKind kind, Reading reading, Message answer) {
        JsonValue result = answer.outcome();
        Optional<JsonValue> items =
                answer.kind() == Message.Kind.RESULT && result.is(JsonKind.OBJECT)
                        ? result.member(kind.member(), JsonKind.ARRAY)
                        : Optional.empty();
        if (items.isEmpty()) {
            // Templates have no capability of their own: an upstream may have none.
            boolean isNone = kind == ListKind.TEMPLATES && answer.kind() == Message.Kind.ERROR;
            failed(kind, reading, isNone ? "" : "it answered with something else");
            return;
        }
        reading.items.addAll(items.get().children());
        reading.bytes += result.byteCount();
        reading.pages++;
        Optional<String> next = result.member("nextCursor", JsonKind.STRING)
                .map(JsonValue::string)
                .filter(cursor -> !cursor.isEmpty());
        if (next.isPresent() && isMoreTaken(kind, reading, next.get())) {
            ask(kind, reading, next);
            return;
        }
        int most = Math.min(reading.items.size(), hub.limits.items());
        List<JsonValue> all = new ArrayList<>(reading.items.subList(0, most));
        done(reading);
        upstream.catalogue().replace(kind, all);
    }

    private boolean isMoreTaken(ListKind kind, Reading reading, String cursor) {
        String why = "";
        if (!reading.cursors.add(cursor)) {
            why = "gives the same cursor twice";
        } else if (reading.pages >= hub.limits.pages()) {
            why = "has more than " + hub.limits.pages() + " pages";
        } else if (reading.items.size() >= hub.limits.items()) {
            why = "has more than " + hub.limits.items() + " items";
        } else if (reading.bytes > BYTES_MAX) {
            why = "is larger than " + BYTES_MAX + " bytes";
        }
        if (!why.isEmpty()) {
            hub.owner.report(upstream.spec().name() + ": its answer to " + kind.method() + " " + why
                    + "; what comes behind is left out");
        }
        return why.isEmpty();
    }

    private void failed(ListKind kind, Reading reading, String reason) {
        done(reading);
        if (!reason.isEmpty()) {
            hub.owner.report(upstream.spec().name() + ": " + kind.method() + " failed: " + reason);
        }
    }

    private void done(Reading reading) {
        reading.isRunning = false;
        reading.isDone = true;
        reading.notBefore = hub.now() + hub.limits.times().refresh() * MILLI;
        reading.items.clear();
        upstream.listRead();
    }
}
