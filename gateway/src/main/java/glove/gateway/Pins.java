package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.gateway.UpstreamPins.Definition;
import glove.wire.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether an upstream still says of its tools what it said when its owner trusted it. What it says
 * goes to a model, and a changed description can turn the model against its user. Confined to the
 * gateway's thread.
 */
final class Pins {
    /** What is to be thought of a definition. */
    enum Standing {
        /** It is the one that was accepted. */
        ACCEPTED,
        /** It is new and will be pinned: it may be shown once {@link #save} has worked. */
        FRESH,
        /** It is not to be shown; the reason was reported. */
        WITHHELD
    }

    static final String TOOL = "tool";
    static final String PROMPT = "prompt";
    static final String INSTRUCTIONS = "instructions";

    /** How a tool may be called as a task, which none may here: not passed on, so not pinned. */
    static final String EXECUTION = "execution";

    /** All else that an agent gets is. */
    private static final Set<String> UNPINNED = Set.of(EXECUTION);

    /** Of one upstream's definitions, accepted and offered: what it may fill the store with. */
    private static final long BYTES_MAX = 4 << 20;

    private final Hub hub;
    private final UpstreamSpec spec;
    private final Told told;
    private final Refusals refusals;
    private @Nullable UpstreamPins
            read; // while a list is looked at: its owner may accept meanwhile
    private boolean wasKept; // the store has held some in this run
    private boolean isNew;
    private boolean isChanged;
    private final List<Definition> fresh = new ArrayList<>();

    Pins(Hub hub, UpstreamSpec spec, Told told, Refusals refusals) {
        this.hub = hub;
        this.spec = spec;
        this.told = told;
        this.refusals = refusals;
    }

    Standing standing(String kind, String name, JsonValue value) {
        Definition now = Definition.of(kind, name, CanonicalJson.of(value, UNPINNED));
        UpstreamPins pins;
        try {
            pins = pins();
        } catch (PinException e) {
            withhold(now, "the pinned definitions cannot be read: " + e.getMessage());
            return Standing.WITHHELD;
        }
        Optional<Definition> before = pins.pinned(kind, name);
        if (before.isPresent() && before.get().digest().equals(now.digest())) {
            return Standing.ACCEPTED;
        }
        if (pins.definitionBytes() + now.bytes() > BYTES_MAX) {
            withhold(
                    now,
                    "what is pinned and offered for " + spec.name() + " would be more than "
                            + BYTES_MAX + " bytes; run it under a new name to begin anew");
            return Standing.WITHHELD;
        }
        if (before.isEmpty() && !hub.policy.isPinRequired()) {
            pins.pin(now);
            isChanged = true;
            fresh.add(now);
            return Standing.FRESH;
        }
        isChanged |= pins.offer(now);
        withhold(
                now,
                before.isPresent()
                        ? "it is no longer what was pinned; see 'glove tools diff " + spec.name()
                                + "', and 'glove tools accept " + spec.name()
                                + "' if that is well"
                        : "nobody has accepted it yet; see 'glove tools diff " + spec.name()
                                + "', then 'glove tools accept " + spec.name() + "'");
        return Standing.WITHHELD;
    }

    private UpstreamPins pins() throws PinException {
        UpstreamPins known = read;
        if (known == null) {
            Optional<byte[]> kept = hub.pinStore.read(spec.pinKey());
            if (kept.isEmpty() && wasKept) {
                throw new PinException("they were removed during the run, and another pins anew");
            }
            wasKept = kept.isPresent();
            known = kept.isPresent()
                    ? UpstreamPins.read(kept.get())
                    : new UpstreamPins(spec.name(), spec.command());
            isNew = kept.isEmpty();
            read = known;
        }
        return known;
    }

    private void withhold(Definition what, String reason) {
        String key = "withheld " + what.kind() + " " + what.name() + " " + what.digest();
        if (told.report(key, shown(what) + " is hidden: " + reason)) {
            refusals.add(GatewayEvent.of(Kind.WITHHELD, 0, subject(what)).because(reason));
        }
    }

    /** What was hidden is seen: its owner has accepted it, or it is again what it was. */
    void acceptedMeanwhile(String kind, Item item) {
        Subject subject = new Subject("", spec.name(), kind + " " + item.name());
        String reason = "it was withheld, and is the accepted one now";
        if (told.report(
                "accepted " + kind + " " + item.name(),
                kind + " " + spec.name() + "." + Answers.shown(item.name())
                        + " is shown from now on: its definition is the accepted one")) {
            refusals.add(GatewayEvent.of(Kind.PINNED, 0, subject).because(reason));
        }
    }

    private String shown(Definition what) {
        String name = what.name().isEmpty() ? "" : "." + Answers.shown(what.name());
        return what.kind() + " " + spec.name() + name;
    }

    private Subject subject(Definition what) {
        return new Subject("", spec.name(), what.kind() + " " + what.name());
    }

    /**
     * Keeps what was pinned since the last time.
     *
     * @return whether that worked; if not, what is new must not be shown
     */
    boolean save() {
        UpstreamPins pins = read;
        boolean isKept = !isChanged;
        read = null; // it is read again for the next list
        isChanged = false;
        if (isKept || pins == null) {
            return true;
        }
        try {
            hub.pinStore.write(spec.pinKey(), pins.toCheckedBytes());
            wasKept = true;
        } catch (PinException e) {
            told.report(
                    "not pinned " + e.getMessage(),
                    "what " + spec.name() + " offers could not be pinned, so what is new"
                            + " stays hidden: " + e.getMessage());
            fresh.clear();
            return false;
        }
        for (Definition one : fresh) {
            hub.records.add(GatewayEvent.of(Kind.PINNED, 0, subject(one)).because(one.digest()));
        }
        if (!fresh.isEmpty()) {
            String words = pinnedWords();
            told.report(words, words);
        }
        fresh.clear();
        return true;
    }

    private String pinnedWords() {
        StringBuilder words = new StringBuilder(spec.name()).append(": pinned");
        words.append(isNew ? " at first use" : ", being new");
        int shown = 0;
        for (Definition one : fresh) {
            if (shown == 20) {
                return words.append(" and ")
                        .append(fresh.size() - shown)
                        .append(" more")
                        .toString();
            }
            words.append(shown == 0 ? " " : ", ").append(one.kind());
            words.append(one.name().isEmpty() ? "" : " " + Answers.shown(one.name()));
            shown++;
        }
        return words.toString();
    }
}
