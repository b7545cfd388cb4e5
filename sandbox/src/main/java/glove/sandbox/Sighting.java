package glove.sandbox;

import glove.sys.UnixPath;

/**
 * A protected name that was made, or made anew, during a run. Immutable.
 *
 * @param why for people: which rule or option makes it one
 */
public record Sighting(UnixPath path, String why) {}
