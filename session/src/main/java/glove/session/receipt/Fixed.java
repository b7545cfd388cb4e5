package glove.session.receipt;

import glove.wire.JsonFields;

/** Members that can have one value only, and must be written all the same. Stateless. */
final class Fixed {
    private Fixed() {}

    static void string(JsonFields fields, String name, String only) {
        if (!fields.string(name).equals(only)) {
            fields.problem(name, "is another", "write " + only);
        }
    }

    static void u8(JsonFields fields, String name, int only) {
        int read = fields.u8(name);
        if (read != only) {
            fields.problem(name, "is " + read, "write " + only);
        }
    }

    static void bool(JsonFields fields, String name, boolean only) {
        if (fields.bool(name) != only) {
            fields.problem(name, "is another", "write " + only);
        }
    }
}
