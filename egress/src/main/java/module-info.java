import org.jspecify.annotations.NullMarked;

/** What may leave a sandbox, and the proxy that lets it out. */
@NullMarked
module glove.egress {
    requires static transitive org.jspecify;
    requires transitive glove.sys;

    exports glove.egress;
}
