import org.jspecify.annotations.NullMarked;

/**
 * What a daemon knows of the sessions it was asked for: that they were, how far they came and how
 * they ended, on disk before anybody is told.
 *
 * <p>What the owner exposes, the bundles of libraries, what sessions left behind, and receipts are
 * packages of their own: they know nothing of the registry, and have files of their own. Receipts
 * are read by strangers.
 */
@NullMarked
module glove.session {
    requires static transitive org.jspecify;
    requires transitive glove.journal;
    requires transitive glove.policy;
    requires transitive glove.sys;
    requires transitive glove.wire;

    exports glove.session;
    exports glove.session.bundle;
    exports glove.session.exposure;
    exports glove.session.receipt;
    exports glove.session.stage;
}
