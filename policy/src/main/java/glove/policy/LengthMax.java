package glove.policy;

/** {@code max_len}: a string of at most so many characters, counted as Unicode code points. */
record LengthMax(int most) implements OnStrings {
    @Override
    public boolean allows(String text) {
        return text.codePointCount(0, text.length()) <= most;
    }

    @Override
    public String rule() {
        return "a string of at most " + most + " characters";
    }

    @Override
    public String advice() {
        return rule();
    }
}
