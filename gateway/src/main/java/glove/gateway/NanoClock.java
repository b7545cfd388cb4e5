package glove.gateway;

/** A monotonic clock, in nanoseconds from any moment. */
@FunctionalInterface
public interface NanoClock {
    /** Now. */
    long nanos();
}
