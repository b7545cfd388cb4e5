package glove.egress;

/** What time it is: a seam, so that no test has to wait. */
interface NanoClock {
    /** As System.nanoTime: differences mean something, overflow included. */
    long nanos();
}
