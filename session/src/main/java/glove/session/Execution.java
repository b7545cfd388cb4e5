package glove.session;

/** What runs, as the caller saw it. Immutable. */
public sealed interface Execution {
    /**
     * A process of this machine.
     *
     * @param process that leads it
     * @param filesystem it writes to
     */
    record Local(ProcessIdentity process, Resources.Filesystem filesystem) implements Execution {}

    /**
     * An instance of another runtime.
     *
     * @param identity of it
     */
    record Managed(Resources.Managed identity) implements Execution {}

    /** Whether each part is what such parts are. */
    default boolean isValid() {
        return switch (this) {
            case Local local -> local.process().isValid() && local.filesystem().isValid();
            case Managed managed -> managed.identity().isValid();
        };
    }

    /** Whether it runs in what a session was given. */
    default boolean runsIn(Resources resources) {
        return switch (this) {
            case Local local ->
                resources instanceof Resources.Local given
                        && local.process().isIn(given.cgroup())
                        && local.filesystem().equals(given.filesystem());
            case Managed managed -> managed.identity().equals(resources);
        };
    }

    /** The process that leads it. */
    default ProcessIdentity leader() {
        return switch (this) {
            case Local local -> local.process();
            case Managed managed -> ProcessIdentity.NONE;
        };
    }
}
