package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where a path leads, and every symbolic link on the way: who may change one of them decides where
 * the path leads tomorrow.
 *
 * @param links absolute, each with a canonical parent, in the order they are met
 * @param target what stands at the end; empty when there is nothing
 */
record LinkChain(List<UnixPath> links, Optional<Canonical> target) {
    private static final int LINKS_MAX = 40; // the kernel's own limit
    private static final UnixPath ROOT = UnixPath.of("/");

    /** Follows an absolute path, name by name. */
    static LinkChain of(Linux linux, UnixPath path) throws ErrnoException {
        List<UnixPath> links = new ArrayList<>();
        ArrayDeque<UnixPath> names = new ArrayDeque<>();
        push(names, path);
        UnixPath at = ROOT;
        while (!names.isEmpty()) {
            UnixPath name = names.removeFirst();
            if (name.equals(UnixPath.of(".."))) {
                at = at.parent();
                continue;
            }
            UnixPath next = at.resolve(name);
            Optional<Stat> stat = linux.lstatIfPresent(next);
            if (stat.isEmpty()) {
                return new LinkChain(links, Optional.empty());
            }
            if (!stat.get().isSymbolicLink()) {
                at = next;
                continue;
            }
            links.add(next);
            if (links.size() > LINKS_MAX) {
                return new LinkChain(links, Optional.empty()); // ELOOP: it leads nowhere
            }
            UnixPath text = readlink(linux, next);
            push(names, text);
            at = text.isAbsolute() ? ROOT : at;
        }
        Optional<Stat> stat = linux.lstatIfPresent(at);
        UnixPath end = at;
        return stat.isEmpty()
                ? new LinkChain(links, Optional.empty())
                : new LinkChain(links, Optional.of(new Canonical(end, stat.get())));
    }

    private static UnixPath readlink(Linux linux, UnixPath link) throws ErrnoException {
        try {
            return linux.readlink(link);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINVAL || e.errno() == Errno.ENOENT) {
                return UnixPath.of("."); // no link any more: what is there now is what counts
            }
            throw e;
        }
    }

    /** In front of the others, in order. */
    private static void push(ArrayDeque<UnixPath> names, UnixPath path) {
        List<UnixPath> parts = new ArrayList<>();
        byte[] bytes = path.bytes();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '/') {
                boolean here = i - start == 1 && bytes[start] == '.';
                if (i > start && !here) {
                    parts.add(UnixPath.of(Arrays.copyOfRange(bytes, start, i)));
                }
                start = i + 1;
            }
        }
        for (int i = parts.size() - 1; i >= 0; i--) {
            names.addFirst(parts.get(i));
        }
    }
}
