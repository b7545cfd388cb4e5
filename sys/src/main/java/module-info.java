import org.jspecify.annotations.NullMarked;

/** System calls: the only module with native access. Decides nothing. */
@NullMarked
module glove.sys {
    requires static transitive org.jspecify;

    exports glove.sys;
}
