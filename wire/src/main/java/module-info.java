import org.jspecify.annotations.NullMarked;

/** Formats that leave the process: JSON. Pure. */
@NullMarked
module glove.wire {
    requires static transitive org.jspecify;

    exports glove.wire;
}
