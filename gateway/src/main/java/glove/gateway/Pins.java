package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.gateway.PinFile.Definition;
import glove.wire.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
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

    /** Not shown to models, or changing from start to start. */
    private static final Set<String> UNPINNED = Set.of("_meta", "icons", "execution");

    private final Hub hub;
    private final UpstreamSpec spec;
    private @Nullable PinFile file; // null until the store was asked
    private boolean isNew;
    private boolean isChanged;
    private final List<Definition> fresh = new ArrayList<>();
    private final Set<String> told = new HashSet<>(); // bounded by what one upstream can list

    Pins(Hub hub, UpstreamSpec spec) {
        this.hub = hub;
        this.spec = spec;
    }

    Standing standing(String kind, String name, JsonValue value) {
        Definition now = Definition.of(kind, name, CanonicalJson.of(value, UNPINNED));
        PinFile pins;
        try {
            pins = file();
        } catch (PinException e) {
            withhold(now, "the pinned definitions cannot be read: " + e.getMessage());
            return Standing.WITHHELD;
        }
        Optional<Definition> before = pins.pinned(kind, name);
        if (before.isPresent() && before.get().digest().equals(now.digest())) {
            return Standing.ACCEPTED;
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

    private PinFile file() throws PinException {
        PinFile known = file;
        if (known == null) {
            Optional<byte[]> kept = hub.pinStore.read(spec.pinKey());
            known = kept.isPresent()
                    ? PinFile.read(kept.get())
                    : new PinFile(spec.name(), spec.command());
            isNew = kept.isEmpty();
            file = known;
        }
        return known;
    }

    private void withhold(Definition what, String reason) {
        if (!told.add(what.kind() + " " + what.name() + " " + what.digest())) {
            return;
        }
        hub.owner.report(shown(what) + " is hidden: " + reason);
        hub.records.add(GatewayEvent.of(Kind.WITHHELD, 0, subject(what)).because(reason));
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
        PinFile pins = file;
        if (!isChanged || pins == null) {
            return true;
        }
        try {
            hub.pinStore.write(spec.pinKey(), pins.toBytes());
        } catch (PinException e) {
            hub.owner.report("what " + spec.name() + " offers could not be pinned, so what is new"
                    + " stays hidden: " + e.getMessage());
            file = null; // it is as it was before
            isChanged = false;
            fresh.clear();
            return false;
        }
        isChanged = false;
        for (Definition one : fresh) {
            hub.records.add(GatewayEvent.of(Kind.PINNED, 0, subject(one)).because(one.digest()));
        }
        if (!fresh.isEmpty()) {
            hub.owner.report(pinnedWords());
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
