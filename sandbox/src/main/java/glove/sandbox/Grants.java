package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The validated grants of one run, widest first: where one lies inside another the narrower one
 * decides, whichever it is. No two name the same path. Immutable.
 */
public final class Grants {
    /** Kernel interfaces: the sandbox has its own or none. */
    private static final UnixPath[] RESERVED = {
        UnixPath.of("/proc"), UnixPath.of("/sys"), UnixPath.of("/dev"),
    };

    private static final UnixPath RUN = UnixPath.of("/run");
    private static final UnixPath ROOT = UnixPath.of("/");

    /** Each takes up to 30 steps and a slot; a launch plan has 65,536 and 4,096 of them. */
    private static final int REQUESTS_MAX = 2000;

    private final List<Grant> grants;

    private Grants(List<Grant> grants) {
        this.grants = List.copyOf(grants);
    }

    /** Sorted by path, so a directory stands before what lies in it. */
    public List<Grant> list() {
        return grants;
    }

    /** Resolves and checks every request. */
    public static Grants of(Linux linux, List<GrantRequest> requests) throws Refusal {
        if (requests.size() > REQUESTS_MAX) {
            throw new Refusal(
                    requests.size() + " grants are more than the " + REQUESTS_MAX
                            + " one run can have",
                    "grant the directory they stand in");
        }
        List<Grant> sorted = new ArrayList<>(requests.size());
        List<UnixPath> resolved = new ArrayList<>(requests.size());
        for (GrantRequest request : requests) {
            Grant grant = resolve(linux, request);
            resolved.add(grant.path());
            insert(sorted, grant, request);
        }
        Grants grants = new Grants(sorted);
        if (!sorted.isEmpty()) {
            grants.refuseKernelFilesystems(linux);
            grants.refusePlantedLinks(linux, requests, resolved);
        }
        return grants;
    }

    /**
     * A link inside a writable grant may be an earlier agent's: what it leads to, outside that
     * grant, is not what the caller means by the path.
     */
    private void refusePlantedLinks(
            Linux linux, List<GrantRequest> requests, List<UnixPath> resolved) throws Refusal {
        for (int i = 0; i < resolved.size(); i++) {
            GrantRequest request = requests.get(i);
            UnixPath real = resolved.get(i);
            if (real.equals(request.asGiven())) {
                continue;
            }
            Optional<Grant> around = decisiveFor(typed(linux, request));
            if (around.isPresent()
                    && around.get().writable()
                    && !real.startsWith(around.get().path())) {
                throw new Refusal(
                        request.words() + " leads to '" + real + "' by a link inside the writable '"
                                + around.get().path() + "', where an agent may have made it",
                        request.option() + " '" + real + "' if that is what you mean");
            }
        }
    }

    private static UnixPath typed(Linux linux, GrantRequest request) throws Refusal {
        try {
            return linux.absolute(request.asGiven());
        } catch (ErrnoException e) {
            throw unreachable(request, e);
        }
    }

    private static Grant resolve(Linux linux, GrantRequest request) throws Refusal {
        Canonical real;
        try {
            real = Canonical.of(linux, request.asGiven());
        } catch (ErrnoException e) {
            throw unreachable(request, e);
        }
        UnixPath path = real.path();
        if (path.equals(ROOT)) {
            throw new Refusal(
                    request.words() + " is the root of the host: granting it would contain nothing",
                    "grant the one directory the agent works in, for example --workspace .");
        }
        if (!path.isAbsolute()) { // a namespace, a pipe: what stands there is no path
            throw new Refusal(
                    request.words() + " is a kernel interface, '" + path + "', and no file",
                    "leave it out");
        }
        for (UnixPath reserved : RESERVED) {
            if (path.startsWith(reserved)) {
                throw new Refusal(
                        request.words() + " is a kernel interface below '" + reserved
                                + "': the sandbox has its own /proc and /dev, and no /sys",
                        "copy what is needed into a directory and grant that");
            }
        }
        if (path.equals(RUN)) {
            throw new Refusal(
                    request.words() + " holds the sockets of the host's services",
                    "grant the one directory below /run that is needed");
        }
        Identity identity = Identity.of(real.stat());
        if (!identity.isDirectory() && !real.stat().isRegularFile()) {
            throw new Refusal(
                    request.words() + " is neither a directory nor a regular file",
                    "grant the directory it stands in");
        }
        return new Grant(
                path,
                request.access(),
                identity,
                real.stat().uid(),
                real.stat().gid(),
                request.option());
    }

    private static Refusal unreachable(GrantRequest request, ErrnoException e) {
        String cause = request.words() + ": " + Errno.words(e.errno());
        if (e.errno() == Errno.ENOENT) {
            return new Refusal(
                    request.words() + " does not exist",
                    request.access() == Access.READ
                            ? "correct the path, or leave it out: there is nothing to read"
                            : "mkdir -p " + ShellWord.operand(request.asGiven()));
        }
        return new Refusal(cause, "check the permissions along the path");
    }

    /** Keeps the list sorted; the same path twice must ask for the same access. */
    private static void insert(List<Grant> sorted, Grant grant, GrantRequest request)
            throws Refusal {
        boolean last = sorted.isEmpty() || sorted.getLast().path().compareTo(grant.path()) < 0;
        int index = last ? ~sorted.size() : indexOf(sorted, grant.path());
        if (index < 0) {
            sorted.add(~index, grant);
        } else if (sorted.get(index).access() != grant.access()) {
            throw new Refusal(
                    request.words() + ": '" + grant.path()
                            + "' is granted both read-only and writable",
                    "keep one of the two options");
        }
    }

    private void refuseKernelFilesystems(Linux linux) throws Refusal {
        List<UnixPath> kernelMounts;
        try {
            kernelMounts = KernelMounts.read(linux);
        } catch (ErrnoException e) {
            throw Trouble.refusal("cannot see what is mounted below the grants", e);
        }
        for (UnixPath mount : kernelMounts) {
            Optional<Grant> around = decisiveFor(mount);
            if (around.isPresent()) {
                throw new Refusal(
                        "grant '" + around.get().path()
                                + "' has a kernel interface mounted inside, at '" + mount + "'",
                        "grant narrower directories beside it",
                        "unmount it");
            }
        }
    }

    /** The grant that decides about a canonical path: the narrowest that holds it. */
    public Optional<Grant> decisiveFor(UnixPath canonical) {
        UnixPath at = canonical;
        for (; ; ) {
            int found = indexOf(grants, at);
            if (found >= 0) {
                return Optional.of(grants.get(found));
            }
            if (at.length() <= 1) {
                return Optional.empty();
            }
            at = at.parent();
        }
    }

    /** Whether a narrower grant keeps from writing what a wider one would let. */
    boolean protectInsideWritable(UnixPath canonical) {
        Optional<Grant> decisive = decisiveFor(canonical);
        if (decisive.isEmpty() || decisive.get().writable()) {
            return false;
        }
        for (Grant grant : grants) {
            if (grant.writable() && canonical.startsWith(grant.path())) {
                return true;
            }
        }
        return false;
    }

    /** One request by itself, resolved and checked; for what is shown at another path inside. */
    public static Grant one(Linux linux, GrantRequest request) throws Refusal {
        Grant grant = resolve(linux, request);
        new Grants(List.of(grant)).refuseKernelFilesystems(linux);
        return grant;
    }

    /** Whether a canonical path can be seen through a grant. */
    public boolean show(UnixPath canonical) {
        return decisiveFor(canonical).isPresent();
    }

    /** Binary search: the index of the grant of this very path, else where it belongs, inverted. */
    private static int indexOf(List<Grant> sorted, UnixPath path) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = sorted.get(middle).path().compareTo(path);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return ~low;
    }
}
