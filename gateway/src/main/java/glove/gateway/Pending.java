package glove.gateway;

/** A request an upstream was sent and has not answered. Confined to the gateway's thread. */
abstract class Pending {
    /** Its id, and the moments it is given up, which {@link Requests} alone writes. */
    long id;

    long due;
    long hardDue;

    /** The upstream has answered; it is forgotten already. */
    abstract void answered(Message answer);

    /**
     * There will be no answer; it is forgotten already.
     *
     * @param code of {@link Protocol}
     * @param reason a sentence that names the upstream
     */
    abstract void lost(int code, String reason);

    /** The upstream tells how far it is. */
    void progressed(Message progress) {}

    /** Whether {@link #lost} for want of time should be told the upstream. */
    boolean isCancellable() {
        return true;
    }
}
