import org.jspecify.annotations.NullMarked;

/**
 * The only way from an agent to its tools: speaks the Model Context Protocol to both, decides what
 * passes, and records it before it does.
 */
@NullMarked
module glove.gateway {
    requires static transitive org.jspecify;
    requires transitive glove.policy;
    requires transitive glove.sys;
    requires transitive glove.wire;

    exports glove.gateway;
}
