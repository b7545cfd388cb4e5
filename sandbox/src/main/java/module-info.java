import org.jspecify.annotations.NullMarked;

/** From a profile to a launch plan to a contained process. */
@NullMarked
module glove.sandbox {
    requires static transitive org.jspecify;
    requires transitive glove.sys;

    exports glove.sandbox;
}
