import org.jspecify.annotations.NullMarked;

/** Which tools an agent may call, and with what. Pure: no files, no clock of its own. */
@NullMarked
@SuppressWarnings("requires-automatic") // RE2/J has no module descriptor; scripts/build adds one
module glove.policy {
    requires static transitive org.jspecify;
    requires transitive glove.wire;
    requires re2j;

    exports glove.policy;
    exports glove.policy.session;
}
