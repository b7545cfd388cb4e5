package glove.session.bundle;

import glove.wire.ValueClass;

import java.util.Optional;

/** Names of entries: letters, digits, {@code _} and {@code -}, so that they are names of files. */
final class BundleKey implements ValueClass<String> {
    static final BundleKey CLASS = new BundleKey();

    private static final int LENGTH_MAX = 128;

    private BundleKey() {}

    @Override
    public Optional<String> parse(String text) {
        boolean plain = !text.isEmpty() && text.length() <= LENGTH_MAX;
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '-';
        }
        return plain ? Optional.of(text) : Optional.empty();
    }

    @Override
    public String words() {
        return "1 to " + LENGTH_MAX + " letters, digits and '_', '-'";
    }

    @Override
    public String standIn() {
        return "-";
    }
}
