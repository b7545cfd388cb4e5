package glove.app;

import glove.sys.UnixPath;

/**
 * What a build made and Glove itself runs from: the directory the starter names, which holds the
 * jars, the launcher, the guest and the digest of them. Stateless.
 */
final class BuiltFiles {
    private BuiltFiles() {}

    /** All of it, as the starter names it; links may lead there. */
    static UnixPath directory() {
        return UnixPath.of(String.valueOf(System.getProperty("glove.native")));
    }

    /** One of its files. */
    static UnixPath of(String name) {
        return directory().resolve(name);
    }

    /** The program that makes a sandbox; where another is installed, that one may be used. */
    static UnixPath launcher() {
        return of("launcher");
    }
}
