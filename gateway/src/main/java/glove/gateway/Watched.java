package glove.gateway;

/** A descriptor in {@link Watches}, and what is known of it. Confined to the gateway's thread. */
final class Watched {
    private static final int NOWHERE = -1;

    /** Its slot, which {@link Watches} alone writes. */
    int slot = NOWHERE;

    /** Reading may give something: it has not said otherwise since the last event. */
    private boolean readable = true;

    /** Likewise of writing. */
    private boolean writable = true;

    /** Nobody is at the other end any more. */
    private boolean hungUp;

    void happened(boolean in, boolean out, boolean hup) {
        readable |= in || hup;
        writable |= out || hup;
        hungUp |= hup;
    }

    boolean isWatched() {
        return slot != NOWHERE;
    }

    void unwatched() {
        slot = NOWHERE;
    }

    boolean isReadable() {
        return readable;
    }

    void nothingToRead() {
        readable = false;
    }

    boolean isWritable() {
        return writable;
    }

    void noRoomToWrite() {
        writable = false;
    }

    boolean isHungUp() {
        return hungUp;
    }
}
