package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;

/**
 * What of the host a contained agent could put something else in place of, followed along paths
 * name by name (path_resolution(7)): a program that is launched by a path is the agent's choice as
 * soon as one directory or link on its way is. Confined to one thread.
 */
public final class AgentReach {
    /** As the kernel follows at most. */
    private static final int LINKS_MAX = 40;

    private static final UnixPath ROOT = UnixPath.of("/");

    private final Linux linux;
    private final Grants grants;
    private final AgentHome home;

    private AgentReach(Linux linux, Grants grants, AgentHome home) {
        this.linux = linux;
        this.grants = grants;
        this.home = home;
    }

    /** Of an agent with this profile. */
    public static AgentReach of(Linux linux, Profile profile) {
        return new AgentReach(linux, profile.grants(), profile.home());
    }

    /** Of an agent with these grants and no kept HOME. */
    public static AgentReach of(Linux linux, Grants grants) {
        return new AgentReach(linux, grants, AgentHome.FRESH);
    }

    /**
     * The first place on the way of a path, its end included, where the agent could put another
     * file. The root of a grant is none: it is a mount inside, which cannot be moved away.
     *
     * @param path need not exist; a relative one counts from this process's working directory
     */
    public Optional<UnixPath> replacing(UnixPath path) throws ErrnoException {
        return walk(path, false);
    }

    /**
     * The first place on the way of a path where the agent could put another file, or the path's
     * end if the agent may write that file or directory.
     *
     * @param path need not exist; a relative one counts from this process's working directory
     */
    public Optional<UnixPath> changing(UnixPath path) throws ErrnoException {
        return walk(path, true);
    }

    /**
     * As {@link #changing}, and the first writable grant that lies in what the path leads to: of a
     * directory, whether the agent can change anything in it.
     */
    public Optional<UnixPath> reaching(UnixPath path) throws ErrnoException {
        Optional<UnixPath> place = changing(path);
        Optional<Canonical> all = Canonical.ofIfPresent(linux, path);
        for (Grant grant : grants.list()) {
            boolean lies = all.isPresent() && grant.path().startsWith(all.get().path());
            if (place.isEmpty() && grant.writable() && lies) {
                place = Optional.of(grant.path());
            }
        }
        return place;
    }

    /** Whether a path leads to anything. */
    public boolean isThere(UnixPath path) {
        try {
            linux.stat(path);
            return true;
        } catch (ErrnoException e) {
            return false;
        }
    }

    /** Whether a path leads to a regular file. */
    public boolean isFile(UnixPath path) {
        try {
            return linux.stat(path).isRegularFile();
        } catch (ErrnoException e) {
            return false;
        }
    }

    private Optional<UnixPath> walk(UnixPath path, boolean isEndIncluded) throws ErrnoException {
        ArrayDeque<UnixPath> names = new ArrayDeque<>();
        push(names, linux.absolute(path));
        UnixPath at = ROOT;
        int links = 0;
        while (!names.isEmpty()) {
            UnixPath name = names.removeFirst();
            if (name.equals(UnixPath.of(".."))) {
                at = at.parent();
                continue;
            }
            UnixPath place = at.resolve(name);
            if (isReplaceable(place)) {
                return Optional.of(place);
            }
            Optional<UnixPath> target = target(place);
            if (target.isEmpty()) {
                at = place;
                continue;
            }
            links++;
            if (links > LINKS_MAX) {
                return Optional.of(place); // nobody can say where it leads
            }
            push(names, target.get());
            at = target.get().isAbsolute() ? ROOT : at;
        }
        return isEndIncluded && isWritable(at) ? Optional.of(at) : Optional.empty();
    }

    /** Where a link leads; empty for anything else, and for what cannot be looked at. */
    private Optional<UnixPath> target(UnixPath place) {
        try {
            Stat stat = linux.lstat(place);
            return stat.isSymbolicLink() ? Optional.of(linux.readlink(place)) : Optional.empty();
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /** Puts the names of a path before the others. */
    private static void push(ArrayDeque<UnixPath> names, UnixPath path) {
        byte[] bytes = path.bytes();
        int end = bytes.length;
        while (end > 0) {
            int start = end;
            while (start > 0 && bytes[start - 1] != '/') {
                start--;
            }
            boolean stays = start == end || (end - start == 1 && bytes[start] == '.');
            if (!stays) {
                names.addFirst(UnixPath.of(Arrays.copyOfRange(bytes, start, end)));
            }
            end = start - 1;
        }
    }

    private boolean isReplaceable(UnixPath place) {
        Optional<Grant> decisive = grants.decisiveFor(place);
        if (decisive.isPresent()) {
            return decisive.get().writable() && !decisive.get().path().equals(place);
        }
        for (Grant source : home.sources()) {
            boolean inside = place.startsWith(source.path()) && !place.equals(source.path());
            if (inside && source.writable()) {
                return true;
            }
        }
        return false;
    }

    private boolean isWritable(UnixPath canonical) {
        Optional<Grant> decisive = grants.decisiveFor(canonical);
        if (decisive.isPresent()) {
            return decisive.get().writable();
        }
        for (Grant source : home.sources()) {
            if (source.writable() && canonical.startsWith(source.path())) {
                return true;
            }
        }
        return false;
    }
}
