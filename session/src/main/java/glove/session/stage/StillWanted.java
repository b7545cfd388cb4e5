package glove.session.stage;

/**
 * Whether somebody still waits for what takes long: his connection and his time may be over
 * meanwhile. Asked by the thread that works for him, often; so it answers from memory.
 */
public interface StillWanted {
    /** Whether to go on. */
    boolean isWanted();
}
