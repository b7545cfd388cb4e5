package glove.app;

/**
 * Why Glove itself ended a run.
 *
 * @param exitStatus of {@code glove}
 * @param sentence for the person at the terminal: what, why, and what to type next
 */
record Verdict(int exitStatus, String sentence) {}
