import org.jspecify.annotations.NullMarked;

/** What tests share: fault injection, seeded data, lanes. */
@NullMarked
module glove.testkit {
    requires static transitive org.jspecify;
    requires transitive glove.sys;
    requires transitive org.junit.jupiter.api;

    exports glove.testkit;
}
