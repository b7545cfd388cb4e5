package glove.sandbox;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;

/**
 * What a caller asks about names inside the grants, as typed. Filled by whoever parses the command
 * line, then left alone. Confined to one thread until the search is started.
 */
public final class GuardRequests {
    /** {@code --protect}: paths to be read-only. */
    public final List<UnixPath> protect = new ArrayList<>();

    /** {@code --no-protect}: paths to which no rule of {@link ProtectedNames} applies. */
    public final List<UnixPath> unprotect = new ArrayList<>();

    /** {@code --hide}: paths and globs. */
    public final List<UnixPath> hide = new ArrayList<>();

    /** Directories of Glove's own, hidden wherever a grant would show them; may be missing. */
    public final List<UnixPath> own = new ArrayList<>();

    /** What Glove itself runs from, read-only wherever it could be written; may be missing. */
    public final List<UnixPath> running = new ArrayList<>();

    /** {@code --no-default-protect}: the list of names does not apply. */
    public boolean noDefaults;

    /** {@code --strict-protect}: a protected name made during the run ends it. */
    public boolean strict;

    /** Nothing asked: the defaults. */
    public GuardRequests() {}

    /** Refuses what contradicts itself whatever the paths are. */
    void check() throws Refusal {
        if (strict && noDefaults && protect.isEmpty()) {
            throw new Refusal(
                    "--strict-protect has nothing to watch: --no-default-protect lifts every name",
                    "name what to watch with --protect PATH",
                    "leave one of the two out");
        }
    }
}
