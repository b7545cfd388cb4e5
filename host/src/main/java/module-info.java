import org.jspecify.annotations.NullMarked;

/**
 * The owner's side of a machine: the daemon {@code gloved}, its configuration and control protocol,
 * and the client that talks to it.
 */
@NullMarked
module glove.host {
    requires static transitive org.jspecify;
    requires transitive glove.journal;
    requires transitive glove.policy;
    requires transitive glove.session;
    requires transitive glove.sys;
    requires transitive glove.wire;

    exports glove.host;
}
