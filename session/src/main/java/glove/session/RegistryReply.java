package glove.session;

/** What the registry says to a request. Immutable. */
public sealed interface RegistryReply {
    /**
     * It is done, and on disk.
     *
     * @param session as it is after this
     * @param repeated whether it had been done before, with the same key
     */
    record Done(SessionView session, boolean repeated) implements RegistryReply {}

    /**
     * It is not done, and nothing was written.
     *
     * @param code for peers
     * @param why for the daemon's own log
     */
    record Refused(RegistryCode code, String why) implements RegistryReply {}
}
