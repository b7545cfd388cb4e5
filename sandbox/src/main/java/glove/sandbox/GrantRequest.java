package glove.sandbox;

import glove.sys.UnixPath;

/**
 * A path as somebody asked for it.
 *
 * @param asGiven may be relative to the working directory, may lead through links
 * @param access what is asked for
 * @param option how it was asked, for error texts: {@code --read}, say
 */
public record GrantRequest(UnixPath asGiven, Access access, String option) {
    String words() {
        return option + " '" + asGiven + "'";
    }
}
