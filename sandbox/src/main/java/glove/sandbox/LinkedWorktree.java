package glove.sandbox;

import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What git needs for a workspace that is a linked worktree (git-worktree(1)): its {@code .git} is a
 * file that names a directory of the main repository, which lies elsewhere.
 *
 * <p>That file is in the workspace, so an agent may have written it: it is a claim, which the named
 * directory has to prove by naming the file back. Only a repository can prove it, so whoever could
 * forge the proof could write that repository already (docs/adr/0008). Confined to one thread.
 */
public final class LinkedWorktree {
    /** The reason of such a grant. */
    public static final String REASON = "linked git worktree";

    private static final byte[] PREFIX = {'g', 'i', 't', 'd', 'i', 'r', ':', ' '};
    private static final UnixPath WORKTREES = UnixPath.of("worktrees");
    private static final int FILE_BYTES_MAX = 8192;
    private static final int WORKTREES_MAX = 400;
    private static final long RESOLVE_NO_SYMLINKS = 4;

    /** Of a repository, what makes git on the host run something or look elsewhere. */
    private static final String[] PROTECTED = {"config", "hooks", "HEAD"};

    private static final String[] PROTECTED_IF_PRESENT = {"config.worktree", "modules"};

    /** Of each worktree's own directory: the proof, and its settings. */
    private static final String[] PROTECTED_OF_WORKTREE = {"gitdir", "commondir", "config.worktree"
    };

    private final Linux linux;
    private final Grants grants;
    private final List<GrantRequest> requests = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();

    /** Looks at the top of every directory granted writable. */
    public LinkedWorktree(Linux linux, Grants grants) throws ErrnoException {
        this.linux = linux;
        this.grants = grants;
        for (Grant grant : grants.list()) {
            if (grant.writable() && grant.identity().isDirectory()) {
                examine(grant);
            }
        }
    }

    /** What to grant beside; none when there is no linked worktree, or none that proves it. */
    public List<GrantRequest> requests() {
        return List.copyOf(requests);
    }

    /** Why a claim was not believed, each a sentence. */
    public List<String> notices() {
        return List.copyOf(notices);
    }

    /** The grants together with the requests. Refuses when one of those became a link meanwhile. */
    public Grants resolve(List<GrantRequest> others) throws Refusal {
        List<GrantRequest> all = new ArrayList<>(others);
        all.addAll(requests);
        Grants resolved = Grants.of(linux, all);
        for (GrantRequest request : requests) {
            Optional<Grant> found = resolved.decisiveFor(request.asGiven());
            if (found.isEmpty() || !found.get().path().equals(request.asGiven())) {
                throw new Refusal(
                        request.words() + " was replaced since it was looked at", "try again");
            }
        }
        return resolved;
    }

    private void examine(Grant grant) throws ErrnoException {
        UnixPath gitFile = grant.path().resolve(".git");
        Optional<Stat> stat = linux.lstatIfPresent(gitFile);
        if (stat.isEmpty() || !stat.get().isRegularFile()) {
            return;
        }
        byte[] content = read(gitFile);
        int length = PREFIX.length;
        if (content.length <= length || !Arrays.equals(content, 0, length, PREFIX, 0, length)) {
            return; // git does not take it either
        }
        UnixPath named = UnixPath.of(Arrays.copyOfRange(content, length, content.length));
        Optional<Canonical> directory =
                Canonical.ofIfPresent(linux, grant.path().resolve(named));
        if (directory.isPresent() && grants.show(directory.get().path())) {
            return; // a submodule of the workspace, or granted by the caller
        }
        String why = directory.isEmpty()
                ? "which is not there"
                : doubt(grant, gitFile, stat.get(), directory.get());
        if (why.isEmpty()) {
            request(directory.get().path());
        } else {
            notices.add("git will not work in '" + grant.path() + "': its .git names '" + named
                    + "', " + why + ", so that is not granted; --write it if you know it to be "
                    + "this project's repository");
        }
    }

    /** Why the directory is not the worktree's; empty when it is proven. */
    private String doubt(Grant grant, UnixPath gitFile, Stat gitStat, Canonical directory)
            throws ErrnoException {
        UnixPath own = directory.path();
        UnixPath common = own.parent().parent();
        if (!directory.stat().isDirectory() || !own.parent().name().equals(WORKTREES)) {
            return "which is no directory of a linked worktree";
        }
        Optional<Canonical> back = named(own, "gitdir");
        if (back.isEmpty()
                || !back.get().path().equals(gitFile)
                || !back.get().stat().isSameFileAs(gitStat)) {
            return "which does not name it back ('git worktree repair' mends what was moved)";
        }
        Optional<Canonical> shared = named(own, "commondir");
        if (shared.isEmpty() || !shared.get().path().equals(common)) {
            return "whose commondir is not the repository it lies in";
        }
        String[] directories = {"", "objects", "refs"};
        for (String name : directories) {
            if (!isOwn(grant, name.isEmpty() ? common : common.resolve(name), true)) {
                return "in whose repository there is no directory '" + name + "' of yours";
            }
        }
        UnixPath hooks = common.resolve("hooks");
        if (linux.lstatIfPresent(hooks).isEmpty()) {
            return "whose repository has no '" + hooks + "' to protect (mkdir it, and all is well)";
        }
        boolean complete = isOwn(grant, common.resolve("HEAD"), false)
                && isOwn(grant, common.resolve("config"), false)
                && isOwn(grant, hooks, true)
                && isOwn(grant, own.resolve("gitdir"), false)
                && isOwn(grant, own.resolve("commondir"), false);
        return complete && isOwn(grant, own, true)
                ? ""
                : "whose repository lacks files, or has those of another user";
    }

    /** No link, and the caller's or of whom the workspace is. */
    private boolean isOwn(Grant grant, UnixPath path, boolean directory) throws ErrnoException {
        Optional<Stat> stat = linux.lstatIfPresent(path);
        return stat.isPresent()
                && (directory ? stat.get().isDirectory() : stat.get().isRegularFile())
                && (stat.get().uid() == grant.owner() || stat.get().uid() == linux.geteuid());
    }

    /** What the path in a file of a directory leads to. */
    private Optional<Canonical> named(UnixPath directory, String file) throws ErrnoException {
        byte[] content = read(directory.resolve(file));
        return content.length == 0
                ? Optional.empty()
                : Canonical.ofIfPresent(linux, directory.resolve(UnixPath.of(content)));
    }

    /** A small regular file without links on the way, up to its line's end; else empty. */
    private byte[] read(UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK;
        try (OwnedFd file = linux.openat2(path, flags, 0, RESOLVE_NO_SYMLINKS)) {
            if (!linux.fstat(file).isRegularFile()) {
                return new byte[0];
            }
            byte[] content = linux.readAll(file, FILE_BYTES_MAX);
            int length = content.length;
            while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) {
                length--;
            }
            for (int i = 0; i < length; i++) {
                if (content[i] == 0 || content[i] == '\n') {
                    return new byte[0];
                }
            }
            return Arrays.copyOf(content, length);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENOMEM) {
                throw e;
            }
            return new byte[0]; // absent, closed, a link or too long: no proof
        }
    }

    /** The repository writable, but not what would make the host run something later. */
    private void request(UnixPath own) throws ErrnoException {
        UnixPath common = own.parent().parent();
        add(common, Access.WRITE);
        for (String name : PROTECTED) {
            add(common.resolve(name), Access.READ);
        }
        for (String name : PROTECTED_IF_PRESENT) {
            addIfPresent(common.resolve(name));
        }
        int count = 0;
        for (DirEntry worktree : linux.listDirectory(own.parent())) {
            if (count++ == WORKTREES_MAX) {
                notices.add("'" + common + "' has more than " + WORKTREES_MAX
                        + " worktrees: the settings of the others are not protected");
                return;
            }
            for (String name : PROTECTED_OF_WORKTREE) {
                addIfPresent(own.parent().resolve(worktree.name()).resolve(name));
            }
        }
    }

    private void addIfPresent(UnixPath path) throws ErrnoException {
        Optional<Stat> stat = linux.lstatIfPresent(path);
        if (stat.isPresent() && (stat.get().isDirectory() || stat.get().isRegularFile())) {
            add(path, Access.READ);
        }
    }

    /** Unless the caller, or another worktree of the same repository, decided about it. */
    private void add(UnixPath path, Access access) {
        Optional<Grant> decided = grants.decisiveFor(path);
        if (decided.isPresent() && decided.get().path().equals(path)) {
            return;
        }
        for (GrantRequest request : requests) {
            if (request.asGiven().equals(path)) {
                return;
            }
        }
        requests.add(new GrantRequest(path, access, REASON));
    }
}
