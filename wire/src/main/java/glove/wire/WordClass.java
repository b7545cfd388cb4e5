package glove.wire;

import java.util.List;
import java.util.Optional;

/**
 * The words of an enum. Immutable.
 *
 * @param <E> the enum
 */
public final class WordClass<E extends Enum<E> & WireWord> implements ValueClass<E> {
    private final List<E> constants;
    private final String words;

    private WordClass(List<E> constants, String words) {
        this.constants = constants;
        this.words = words;
    }

    /** Of all constants, or of those that may stand somewhere; at least one. */
    public static <E extends Enum<E> & WireWord> WordClass<E> of(E[] constants) {
        StringBuilder words = new StringBuilder();
        for (E constant : constants) {
            words.append(words.isEmpty() ? "" : ", ").append(constant.word());
        }
        String one = constants.length == 1 ? "" : "one of ";
        return new WordClass<>(List.of(constants), one + words);
    }

    @Override
    public Optional<E> parse(String text) {
        for (E constant : constants) {
            if (constant.word().equals(text)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }

    @Override
    public String words() {
        return words;
    }

    @Override
    public E standIn() {
        return constants.get(0);
    }
}
