package glove.wire;

import java.util.Optional;

/**
 * A kind of value that formats write as a JSON string, such as an {@link Id128}: the only way from
 * text to the type. Immutable.
 *
 * @param <T> what it is inside
 */
public interface ValueClass<T> {
    /** The value; empty when the text is none. */
    Optional<T> parse(String text);

    /** What to write, as in "write one of a, b". */
    String words();

    /** Some value to go on with after a {@linkplain JsonProblem problem}; never to be used. */
    T standIn();
}
