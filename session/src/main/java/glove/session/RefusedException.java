package glove.session;

import java.util.Objects;

/** A request may not be, while it is decided; outside it is a {@link RegistryReply.Refused}. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RegistryCode code;

    RefusedException(RegistryCode code, String why) {
        super(why, null, false, false); // told to a peer, not looked for in a stack
        this.code = code;
    }

    RegistryReply reply() {
        return new RegistryReply.Refused(code, Objects.requireNonNull(getMessage()));
    }

    static void unless(boolean holds, RegistryCode code, String why) throws RefusedException {
        if (!holds) {
            throw new RefusedException(code, why);
        }
    }
}
