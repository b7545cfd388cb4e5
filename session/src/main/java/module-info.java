import org.jspecify.annotations.NullMarked;

/**
 * What a daemon knows of the sessions it was asked for: that they were, how far they came and how
 * they ended, on disk before anybody is told.
 *
 * <p>What the owner exposes is a package of its own, because it knows nothing of sessions and has a
 * journal of its own.
 */
@NullMarked
module glove.session {
    requires static transitive org.jspecify;
    requires transitive glove.journal;
    requires transitive glove.policy;
    requires transitive glove.sys;
    requires transitive glove.wire;

    exports glove.session;
    exports glove.session.exposure;
}
