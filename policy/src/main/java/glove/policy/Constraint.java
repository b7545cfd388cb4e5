package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.Set;

/** What one operator demands of one value. Immutable; decides on the bytes that are forwarded. */
interface Constraint {
    /** Whether the value is as demanded; of a kind the operator is not about, it never is. */
    boolean holds(JsonValue value);

    /** The kinds of which some value can be as demanded. */
    Set<JsonKind> kinds();

    /** For the operator: completes "must be" with the rule's own values. */
    String rule();

    /** For the model: completes "must be" in general words, without the rule's values. */
    String advice();
}
