package glove.gateway;

/** A request of an agent that was not answered yet. Confined to the gateway's thread. */
interface Open {
    /** The agent does not want the answer any more, or is gone; it is forgotten already. */
    void cancel(String reason);
}
