package glove.testkit;

/**
 * A place that breaks a rule of the repository.
 *
 * @param file relative to the root of the tree
 * @param line counted from 1
 * @param message what is wrong and what to do instead
 */
record Finding(String file, int line, String message) {
    /** In the form compilers use, so that editors find the place. */
    @Override
    public String toString() {
        return file + ":" + line + ": error: " + message;
    }
}
