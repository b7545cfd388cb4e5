package glove.app;

import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.GuardRequests;
import glove.sandbox.Refusal;
import glove.sandbox.Trouble;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * What Glove itself executes or maps, now or when it is started next: an agent that could write
 * there would run code outside. An image or a JDK is one directory; of a source tree it is what
 * {@code ./glove} runs without a build. Stateless.
 */
final class OwnPlaces {
    private static final UnixPath TARGET = UnixPath.of("target");

    /** In a source tree: starters, what they source and start, and all that a build makes. */
    private static final String[] OF_TREE = {"target", "glove", "gloved", "scripts", "native/target"
    };

    /** Not what was asked for is to blame. */
    private static final int EXIT_HOST = 125;

    private static final String[] STARTERS = {"glove", "gloved"};

    private static final UnixPath LAUNCHER = UnixPath.of("/usr/libexec/glove/launcher");

    private OwnPlaces() {}

    /**
     * Asks for all of it to be read-only inside. A run without a writable grant needs none of it.
     *
     * @param path directories in which the caller's shell looks for programs
     * @return what to tell the caller: a source tree stays writable, and is built from
     */
    static List<String> hold(Linux linux, Grants grants, List<UnixPath> path, GuardRequests guards)
            throws Refusal {
        if (!letWrite(grants)) {
            return List.of();
        }
        UnixPath run = real(linux, BuiltFiles.directory());
        UnixPath jdk = real(linux, UnixPath.of(System.getProperty("java.home")));
        guards.running.add(jdk);
        UnixPath asStarted = BuiltFiles.directory();
        if (!asStarted.equals(run)) {
            guards.running.add(asStarted); // links lead to it
        }
        if (grants.show(LAUNCHER)) {
            guards.running.add(LAUNCHER);
        }
        for (String starter : STARTERS) {
            Optional<UnixPath> found = first(linux, path, starter);
            if (found.isPresent()) {
                guards.running.add(found.get());
            }
        }
        if (run.startsWith(jdk)) {
            return List.of(); // an image
        }
        if (!run.parent().name().equals(TARGET)) {
            guards.running.add(run);
            return List.of();
        }
        UnixPath tree = run.parent().parent();
        for (String name : OF_TREE) {
            guards.running.add(tree.resolve(name));
        }
        return ofSources(grants, tree);
    }

    private static boolean letWrite(Grants grants) {
        for (Grant grant : grants.list()) {
            if (grant.writable()) {
                return true;
            }
        }
        return false;
    }

    private static UnixPath real(Linux linux, UnixPath path) throws Refusal {
        try (OwnedFd opened = linux.open(path, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0)) {
            return linux.pathOf(opened);
        } catch (ErrnoException e) {
            throw new Refusal(
                    EXIT_HOST,
                    "cannot look at '" + path + "', from which Glove itself runs, to keep an agent "
                            + "from writing there: " + e.getMessage(),
                    List.of(
                            "export LC_ALL=C.UTF-8, if that is not its name",
                            "grant nothing writable"));
        }
    }

    /** What a shell would start by this name. */
    private static Optional<UnixPath> first(Linux linux, List<UnixPath> path, String name)
            throws Refusal {
        for (UnixPath directory : path) {
            UnixPath starter = directory.resolve(name);
            try {
                if (starter.isAbsolute() && linux.lstatIfPresent(starter).isPresent()) {
                    return Optional.of(starter);
                }
            } catch (ErrnoException e) {
                Trouble.refuse("cannot look at '" + starter + "', in PATH", e);
                // A loop of links, a name too long: a shell passes over it, too.
            }
        }
        return Optional.empty();
    }

    private static List<String> ofSources(Grants grants, UnixPath tree) {
        for (Grant grant : grants.list()) {
            boolean meets = grant.path().startsWith(tree) || tree.startsWith(grant.path());
            if (grant.writable() && meets) {
                return List.of("'" + tree + "' is the source tree this Glove runs from, and '"
                        + grant.path() + "' is granted writable: the next ./glove builds and runs "
                        + "outside what the agent writes there; look at it first, or run an image "
                        + "(./glove image ~/glove)");
            }
        }
        return List.of();
    }
}
