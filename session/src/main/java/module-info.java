import org.jspecify.annotations.NullMarked;

/**
 * What a daemon knows of the sessions it was asked for: that they were, how far they came and how
 * they ended, on disk before anybody is told.
 *
 * <p>Receipts are a package of their own: strangers read them who have no registry. So are what the
 * owner exposes, the bundles of libraries, and what sessions left behind: they know nothing of the
 * registry and have files of their own.
 */
@NullMarked
module glove.session {
    requires static transitive org.jspecify;
    requires transitive glove.journal;
    requires transitive glove.policy;
    requires transitive glove.sys;
    requires transitive glove.wire;

    exports glove.session;
    exports glove.session.receipt;
    exports glove.session.bundle;
    exports glove.session.exposure;
    exports glove.session.stage;
}
