package glove.app;

import java.util.List;

/**
 * {@code glove image}: made by scripts/image of a source tree, which the tree's own starter calls
 * instead of this. Here is its help, and what an installed Glove says. Stateless.
 */
final class ImageVerb {
    static final String HELP = """
            usage: glove image [DIRECTORY]
                   glove image --deb [FILE]

            Makes an image that runs without JDK and build, from a source tree: by
            default target/image, or target/glove_VERSION_ARCHITECTURE.deb. The
            place must not exist yet. The same sources and JDK give the same bytes.

              --deb       a package for dpkg; depends on libc6 alone
              -h, --help  this text

            example: glove image --deb
            """;

    private static final int EXIT_USAGE = 2;

    private ImageVerb() {}

    /** Exit status: 0 for the help, 2 for anything else. */
    static int run(List<String> words) {
        if (words.size() == 1 && (words.get(0).equals("-h") || words.get(0).equals("--help"))) {
            return Output.print(HELP);
        }
        Notices notices = new Notices("image");
        notices.say("an image is made from a source tree, and this is no source tree");
        notices.suggest("TREE/glove image, in a clone of Glove's repository");
        return EXIT_USAGE;
    }
}
