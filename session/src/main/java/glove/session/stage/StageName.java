package glove.session.stage;

/** Names of stages: parts behind their lengths, so that each name is of one pair. Stateless. */
final class StageName {
    private static final int PART_LENGTH_MAX = 64;

    private StageName() {}

    /** Whether a part may stand in a name; longer ones are exposed, but never kept. */
    static boolean isPart(String text) {
        boolean plain = !text.isEmpty() && text.length() <= PART_LENGTH_MAX;
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-';
        }
        return plain;
    }

    static String of(String session, String exposure) {
        return "glove-retained-s" + session.length() + "-" + session + "-a" + exposure.length()
                + "-" + exposure;
    }
}
