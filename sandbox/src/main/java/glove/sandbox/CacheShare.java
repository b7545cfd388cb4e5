package glove.sandbox;

import glove.sys.UnixPath;

/**
 * A directory of the host shown in the agent's HOME. Nothing the agent does changes it.
 *
 * @param source the host's directory, granted read-only
 * @param place where it is shown, relative to HOME
 * @param mode whether the agent may write to what it sees
 */
public record CacheShare(Grant source, UnixPath place, Mode mode) {
    /** What the agent may do with a cache. */
    public enum Mode {
        /** Only read. */
        READ,
        /** Write, to a copy made file by file in the private directories' memory: overlayfs. */
        COPY
    }
}
