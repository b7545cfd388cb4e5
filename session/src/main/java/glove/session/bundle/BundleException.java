package glove.session.bundle;

import java.util.Objects;

/** A bundle, or the directory of bundles, is not what it has to be. Nothing of it was used. */
public final class BundleException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Fault fault;

    /** What kind of no. */
    public enum Fault {
        /** The directory of bundles is not safe, or another than before. */
        ROOT,
        /** There is no such bundle. */
        MISSING,
        /** Its kind, owner, mode, links or size are such that it cannot be trusted. */
        UNSAFE,
        /** Its content is not what its name says. */
        CONTENT,
        /** It was changed while it was held. */
        CHANGED,
        /** What is in it, or together in all bundles of a session, is not allowed. */
        DOCUMENT,
        /** A system call failed. */
        SYSTEM
    }

    BundleException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** What kind of no. */
    public Fault fault() {
        return fault;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
