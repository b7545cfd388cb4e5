package glove.app;

import glove.sandbox.Refusal;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code glove home}: lists and removes what {@code glove exec --home} keeps. */
final class HomeVerb {
    static final String HELP = """
            usage: glove home list [--json]
                   glove home remove NAME...

            Homes that 'glove exec --home NAME' keeps: logins, settings, caches of the
            tools an agent uses. They lie in ${XDG_STATE_HOME:-~/.local/state}/glove/homes,
            are yours alone, and grow without limit.

              list      name, size in bytes, last use, and who uses it now
              remove    removes homes with everything in them; refused while in use

              --json      list as data
              -h, --help  this text

            example: glove home remove dev
            """;

    private static final String SEE_HELP = "glove home --help";
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_FAILED = 1;

    /** One home, as seen. */
    private record Seen(UnixPath name, UnixPath path, long bytes, Instant lastUsed, Use use) {}

    private record Use(boolean now, String holder) {}

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("home");

    HomeVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status: 0, 1 when something failed, 2 for a bad command. */
    int run() {
        try {
            return run(invocation.words());
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus() == Refusal.EXIT_USAGE ? Refusal.EXIT_USAGE : EXIT_FAILED;
        } catch (ErrnoException e) {
            notices.say("it failed at " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    private int run(List<String> words) throws Refusal, ErrnoException {
        if (words.contains("-h") || words.contains("--help")) {
            return Output.print(HELP);
        }
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        String what = words.isEmpty() ? "" : words.get(0);
        return switch (what) {
            case "list" -> list(rest);
            case "remove" -> remove(rest);
            case "" -> throw new Refusal("list or remove?", SEE_HELP);
            default -> throw new Refusal("unknown word '" + what + "'", SEE_HELP);
        };
    }

    private int list(List<String> words) throws Refusal, ErrnoException {
        boolean json = words.equals(List.of("--json"));
        if (!json && !words.isEmpty()) {
            throw new Refusal("'list' takes --json and nothing else", SEE_HELP);
        }
        List<Seen> homes = new ArrayList<>();
        Optional<HomeStore> store = HomeStore.openIfPresent(linux, invocation);
        if (store.isPresent()) {
            try (HomeStore open = store.get()) {
                for (UnixPath name : open.names()) {
                    homes.add(look(open, name));
                }
            }
        }
        if (homes.isEmpty() && !json) {
            notices.say("there are no homes yet: glove exec --home NAME makes one");
        }
        return Output.print(json ? json(homes) : text(homes));
    }

    private Seen look(HomeStore store, UnixPath name) throws ErrnoException, Refusal {
        Optional<HomeLock> lock =
                HomeLock.tryOnce(linux, store.directory(), name, HomeLock.Sharing.ALONE);
        HomeLock.Note note = HomeLock.note(linux, store.directory(), name);
        if (lock.isPresent()) {
            lock.get().close();
        }
        return new Seen(
                name,
                store.path().resolve(name),
                TreeSize.of(linux, store.directory(), name),
                Instant.ofEpochSecond(note.seconds()),
                new Use(lock.isEmpty(), lock.isEmpty() ? note.holder(linux) : ""));
    }

    private static String text(List<Seen> homes) {
        StringBuilder out = new StringBuilder();
        for (Seen home : homes) {
            out.append(home.name()).append('\t').append(home.bytes()).append('\t');
            out.append(home.lastUsed()).append('\t');
            String by = home.use().holder().isEmpty() ? "" : " by " + home.use().holder();
            out.append(home.use().now() ? "in use" + by : "free").append('\n');
        }
        return out.toString();
    }

    private static String json(List<Seen> homes) {
        JsonWriter json = new JsonWriter().beginObject();
        json.member("schema_version", SCHEMA_VERSION).name("homes").beginArray();
        for (Seen home : homes) {
            json.beginObject()
                    .member("name", home.name().toString())
                    .member("path", home.path().toString())
                    .member("bytes", home.bytes())
                    .member("last_used", home.lastUsed().toString())
                    .member("in_use", home.use().now())
                    .endObject();
        }
        return json.endArray().endObject().toJson() + "\n";
    }

    private int remove(List<String> words) throws Refusal, ErrnoException {
        if (words.isEmpty()) {
            throw new Refusal("remove which?", "glove home list");
        }
        List<UnixPath> names = new ArrayList<>();
        for (String word : words) {
            UnixPath name = UnixPath.of(word);
            HomeStore.checkName(name, "remove");
            names.add(name);
        }
        Optional<HomeStore> found = HomeStore.openIfPresent(linux, invocation);
        if (found.isEmpty()) {
            throw new Refusal("there are no homes here", "glove home list");
        }
        int status = 0;
        try (HomeStore store = found.get()) {
            for (UnixPath name : names) {
                status = Math.max(status, removeOrReport(store, name));
            }
        }
        return status;
    }

    private int removeOrReport(HomeStore store, UnixPath name) {
        try {
            return remove(store, name);
        } catch (Refusal | ErrnoException e) {
            notices.say("cannot remove '" + name + "': " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    /** First out of the way in one step, so that no run ever starts in half a home. */
    private int remove(HomeStore store, UnixPath name) throws ErrnoException, Refusal {
        UnixPath leaving = UnixPath.of("." + name + ".removed");
        try (HomeLock lock = store.lock(name, HomeLock.Sharing.ALONE)) {
            boolean left = isThere(store, leaving);
            long count = left ? new TreeRemoval(linux).remove(store.directory(), leaving) : 0;
            Optional<OwnedFd> home = store.home(name, false);
            if (home.isPresent()) {
                home.get().close();
                linux.renameat2(
                        store.directory(),
                        name,
                        store.directory(),
                        leaving,
                        Linux.RENAME_NOREPLACE);
                count += new TreeRemoval(linux).remove(store.directory(), leaving);
            }
            lock.removeFile(linux, store.directory(), name);
            if (home.isEmpty() && !left) {
                notices.say("there is no home '" + name + "'");
                return EXIT_FAILED;
            }
            return Output.print("removed '" + store.path().resolve(name) + "', " + count
                    + " files and directories\n");
        }
    }

    private boolean isThere(HomeStore store, UnixPath name) throws ErrnoException {
        try {
            linux.lstatat(store.directory(), name);
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }
}
