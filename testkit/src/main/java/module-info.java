import org.jspecify.annotations.NullMarked;

/** What tests share: fault injection, seeded data, lanes, and the rules of the repository. */
@NullMarked
module glove.testkit {
    requires static transitive org.jspecify;
    requires transitive glove.sys;
    requires transitive org.junit.jupiter.api;
    requires jdk.compiler; // the repository rules read Java by the compiler's own parser

    exports glove.testkit;
}
