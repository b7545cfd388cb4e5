package glove.sandbox;

import glove.sys.UnixPath;

/**
 * What a step is for, told when it fails: {@code "grant"} and the path, say. The purpose is one of
 * a few words; the path may be {@link #NO_PATH}.
 */
record StepSubject(String purpose, UnixPath path) {
    static final UnixPath NO_PATH = UnixPath.of("");

    /** "grant '/home/u/x'", or the purpose alone. */
    String words() {
        return path.equals(NO_PATH) ? purpose : purpose + " '" + path + "'";
    }
}
