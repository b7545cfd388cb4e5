import org.jspecify.annotations.NullMarked;

/** Formats that leave the process, or come from outside: JSON, lines, digests. Pure. */
@NullMarked
module glove.wire {
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports glove.wire;
}
