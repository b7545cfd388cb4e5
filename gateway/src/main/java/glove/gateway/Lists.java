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

    /** Of all lists of an upstream: each is looked at several times. */
    private static final int VALUES_MAX = 1 << 16;

    /** A list is not looked at for a larger part of the time than this one. */
    private static final int PART_OF_TIME = 20;

    /** One list being read, or not. */
    private static final class Reading {
        private boolean isRunning;
        private boolean isWanted;
        private boolean isDone;
        private long notBefore;
        private int pages;
        private long bytes;
        private long values;
        private final List<byte[]> items = new ArrayList<>();
        private final Set<String> cursors = new HashSet<>();

        private void begin() {
            isRunning = true;
            isWanted = false;
            pages = 0;
            empty();
        }

        private void empty() {
            bytes = 0;
            values = 0;
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
                upstream.catalogue().replace(kind, List.of(), Catalogue.Size.NONE);
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

    /**
     * Somebody looks at one: it is read again if the upstream would not tell of a change, or if
     * something of it is hidden that its owner may have accepted since.
     */
    void looked(ListKind kind) {
        boolean isTold = upstream.hello().announces().contains(kind);
        if (!isTold || upstream.catalogue().isWithheld(kind)) {
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
        reading.pages++;
        for (JsonValue item : items.get().children()) {
            if (reading.items.size() < hub.limits.items()) {
                reading.bytes += item.byteCount();
                reading.values += item.valueCount();
                if (isTooMuch(kind, reading)) {
                    return;
                }
                reading.items.add(item.toBytes()); // its own: the page is not kept
            }
        }
        Optional<String> next = result.member("nextCursor", JsonKind.STRING)
                .map(JsonValue::string)
                .filter(cursor -> !cursor.isEmpty());
        if (next.isPresent() && isMoreTaken(kind, reading, next.get())) {
            ask(kind, reading, next);
            return;
        }
        replace(kind, reading);
    }

    private void replace(ListKind kind, Reading reading) {
        long begun = hub.clock();
        upstream.catalogue()
                .replace(kind, reading.items, new Catalogue.Size(reading.bytes, reading.values));
        done(reading);
        long next = hub.now() + (hub.clock() - begun) * PART_OF_TIME;
        reading.notBefore = Math.max(reading.notBefore, next);
    }

    /** Whether it offers so much that it loses this list: none of it is kept, and none shown. */
    private boolean isTooMuch(ListKind kind, Reading reading) {
        long bytes = 0;
        long values = 0;
        for (Map.Entry<ListKind, Reading> entry : readings.entrySet()) {
            Catalogue.Size kept = upstream.catalogue().size(entry.getKey());
            Reading other = entry.getValue();
            bytes += entry.getKey() == kind ? other.bytes : Math.max(other.bytes, kept.bytes());
            values += entry.getKey() == kind ? other.values : Math.max(other.values, kept.values());
        }
        long bytesMax = hub.listsBytesMax();
        String bound = bytes > bytesMax
                ? bytesMax + " bytes, its share of Glove's memory"
                : VALUES_MAX + " JSON values";
        if (bytes <= bytesMax && values <= VALUES_MAX) {
            return false;
        }
        upstream.told()
                .report(
                        "lost " + kind,
                        upstream.spec().name() + ": with its answer to " + kind.method()
                                + " all it offers is more than " + bound + ", so none of its "
                                + kind.member() + " is shown; make it offer less, or run it with"
                                + " fewer other upstreams");
        reading.empty();
        replace(kind, reading);
        return true;
    }

    private boolean isMoreTaken(ListKind kind, Reading reading, String cursor) {
        String why = "";
        if (!reading.cursors.add(Digests.hex(cursor))) {
            why = "gives the same cursor twice";
        } else if (reading.pages >= hub.limits.pages()) {
            why = "has more than " + hub.limits.pages() + " pages";
        } else if (reading.items.size() >= hub.limits.items()) {
            why = "has more than " + hub.limits.items() + " items";
        }
        if (!why.isEmpty()) {
            upstream.told()
                    .report(
                            "cut " + kind + why,
                            upstream.spec().name() + ": its answer to " + kind.method() + " " + why
                                    + "; what comes behind is left out");
        }
        return why.isEmpty();
    }

    private void failed(ListKind kind, Reading reading, String reason) {
        done(reading);
        if (!reason.isEmpty()) {
            upstream.told()
                    .report(
                            "failed " + kind + reason,
                            upstream.spec().name() + ": " + kind.method() + " failed: " + reason);
        }
    }

    private void done(Reading reading) {
        reading.isRunning = false;
        reading.isDone = true;
        reading.notBefore = hub.now() + hub.limits.times().refresh() * MILLI;
        reading.empty();
        upstream.listRead();
    }
}
