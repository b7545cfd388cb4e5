package glove.egress;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** What a listener inside the sandbox is for. Immutable. */
public final class Entry {
    /** Clients show the run's {@link Credential}. */
    public static final Entry AUTHENTICATED = new Entry(null);

    /** Whoever reaches it is the agent's: for clients that cannot show a credential. */
    public static final Entry VOUCHED = new Entry(null);

    private final @Nullable Destination destination; // null for those where clients name one

    private Entry(@Nullable Destination destination) {
        this.destination = destination;
    }

    /** Each connection is one to that destination. */
    public static Entry direct(Destination destination) {
        return new Entry(destination);
    }

    boolean isDirect() {
        return destination != null;
    }

    /** Of a direct one; a bug else. */
    Destination destination() {
        return Objects.requireNonNull(destination, "clients name the destination here");
    }
}
