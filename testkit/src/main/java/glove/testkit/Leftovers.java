package glove.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a run must not leave: processes, threads, mounts, descriptors, names in directories (sockets
 * and directories among them), cgroups and locks. Compares two moments; what is on its way out has
 * {@value #PATIENCE_MILLIS} ms to go. Confined to one thread.
 */
public final class Leftovers {
    private static final long NAP_NANOS = 2_000_000;
    private static final long PATIENCE_MILLIS = 120_000;
    private static final Path SELF = Path.of("/proc/self");
    private static final int CGROUP_DEPTH = 8;

    private final Place place;
    private final long patienceMillis;
    private final Set<String> before;

    /**
     * Where to look.
     *
     * @param process whose descriptors, children and mounts: {@code /proc/self}, or another's
     * @param directories whose names and locks
     * @param cgroups root of a hierarchy, of which the directories named after Glove and this
     *     process count: others make some meanwhile
     */
    public record Place(Path process, List<Path> directories, Path cgroups) {
        /** Of this JVM. */
        public static Place here(Path... directories) {
            return new Place(SELF, List.of(directories), Path.of("/sys/fs/cgroup"));
        }

        /** Of this JVM, for what makes no control groups. */
        public static Place withoutGroups(Path... directories) {
            return new Place(SELF, List.of(directories), SELF.resolve("none"));
        }
    }

    private Leftovers(Place place, long patienceMillis) throws IOException {
        this.place = place;
        this.patienceMillis = patienceMillis;
        this.before = look();
    }

    /** What is there now may stay. */
    public static Leftovers since(Place place) throws IOException {
        return new Leftovers(place, PATIENCE_MILLIS);
    }

    /** With another patience than {@value #PATIENCE_MILLIS} ms. */
    static Leftovers since(Place place, long patienceMillis) throws IOException {
        return new Leftovers(place, patienceMillis);
    }

    /** What is there and was not before, each in words; waits a moment for it to go. */
    public List<String> found() throws IOException {
        long end = System.nanoTime() + patienceMillis * 1_000_000;
        for (; ; ) {
            Set<String> left = look();
            left.removeAll(before);
            if (left.isEmpty() || System.nanoTime() > end) {
                return List.copyOf(left);
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** An AssertionError when there is something. */
    public void assertNone() throws IOException {
        List<String> left = found();
        if (!left.isEmpty()) {
            throw new AssertionError("left behind: " + left);
        }
    }

    private Set<String> look() throws IOException {
        Set<String> all = new TreeSet<>();
        addChildren(all);
        addDescriptors(all);
        if (place.process.equals(SELF)) {
            addThreads(all);
        }
        for (String mount : Files.readAllLines(place.process.resolve("mountinfo"))) {
            all.add("mount " + mount);
        }
        Set<String> inodes = new TreeSet<>();
        for (Path directory : place.directories) {
            addNames(directory, all, inodes);
        }
        for (String lock : Files.readAllLines(Path.of("/proc/locks"))) {
            String[] parts = lock.strip().split(" +");
            String[] file = parts[parts.length - 3].split(":");
            if (inodes.contains(file[file.length - 1])) {
                all.add("lock on inode " + file[file.length - 1]);
            }
        }
        addCgroups(all);
        return all;
    }

    /** Zombies count only where nobody but the JVM could have reaped them. */
    private void addChildren(Set<String> all) throws IOException {
        for (Path task : list(place.process.resolve("task"))) {
            String children = read(task.resolve("children"));
            for (String pid : children.isEmpty() ? new String[0] : children.split(" ")) {
                String stat = read(Path.of("/proc", pid, "stat"));
                if (!stat.isEmpty() && !isForeignZombie(stat)) {
                    all.add("process " + stat.substring(0, stat.lastIndexOf(')') + 3));
                }
            }
        }
    }

    private static boolean isForeignZombie(String stat) {
        boolean zombie = stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
        return zombie && !stat.contains("(glove-launcher)");
    }

    /** Those that were started here; the JVM's own come and go as it likes. */
    private static void addThreads(Set<String> all) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            ThreadGroup group = thread.getThreadGroup();
            if (group != null && group.getName().equals("main")) {
                all.add("thread " + thread.threadId() + " " + thread.getName());
            }
        }
    }

    private void addDescriptors(Set<String> all) throws IOException {
        for (Path fd : list(place.process.resolve("fd"))) {
            try {
                String target = Files.readSymbolicLink(fd).toString();
                if (!target.startsWith("/proc/") && !target.endsWith(".jar")) { // our own looking
                    all.add("descriptor " + fd.getFileName() + " of " + target);
                }
            } catch (NoSuchFileException e) {
                // That of the listing itself.
            }
        }
    }

    private void addNames(Path directory, Set<String> all, Set<String> inodes) throws IOException {
        try (Stream<Path> names = Files.walk(directory)) {
            for (Path name : (Iterable<Path>) names::iterator) {
                String inode = Files.getAttribute(name, "unix:ino", LinkOption.NOFOLLOW_LINKS)
                        .toString();
                inodes.add(inode);
                all.add("name " + name);
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            all.add("name below " + directory + " that is going");
        }
    }

    private void addCgroups(Set<String> all) throws IOException {
        if (!Files.isDirectory(place.cgroups)) {
            return;
        }
        String pid = place.process.toRealPath().getFileName().toString();
        Pattern ours = Pattern.compile("glove-[a-z]+-" + pid + "\\b.*");
        try (Stream<Path> groups = Files.walk(place.cgroups, CGROUP_DEPTH)) {
            for (Path group : (Iterable<Path>) groups::iterator) {
                if (ours.matcher(group.getFileName().toString()).matches()
                        && Files.isDirectory(group)) {
                    all.add("cgroup " + group);
                }
            }
        } catch (UncheckedIOException e) {
            all.add("cgroup that is going");
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(all::add);
        }
        return all;
    }

    /** Empty for a process or thread that has ended. */
    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
