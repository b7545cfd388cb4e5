package glove.egress;

/** Something a descriptor's events are for. Confined to the thread of the proxy. */
abstract class Watched {
    /** Not in the table. */
    static final int NOWHERE = -1;

    /** Its place in the {@link WatchTable}, which alone writes it. */
    int slot = NOWHERE;

    /**
     * Something has happened, {@code EPOLL*}: only takes note of it. Told once, so what is not
     * noted is lost.
     */
    abstract void happened(int events);
}
