package glove.wire;

import java.util.Optional;

/** Strings of which nothing is known. Stateless. */
final class AnyText implements ValueClass<String> {
    static final AnyText CLASS = new AnyText();

    private AnyText() {}

    @Override
    public Optional<String> parse(String text) {
        return Optional.of(text);
    }

    @Override
    public String words() {
        return "a string";
    }

    @Override
    public String standIn() {
        return "";
    }
}
