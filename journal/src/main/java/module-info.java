import org.jspecify.annotations.NullMarked;

/** State that outlives the process: append-only logs. */
@NullMarked
module glove.journal {
    requires static transitive org.jspecify;
    requires transitive glove.sys;
    requires glove.wire;

    exports glove.journal;
}
