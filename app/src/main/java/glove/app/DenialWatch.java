package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.Profile;
import glove.sandbox.RunningSandbox;
import glove.sys.Arch;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Notification;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@code --why}: hears of the agent's calls that fail most before they go on, notes what the
 * sandbox denies, and tells at the end (seccomp_unotify(2)). It changes no outcome: what it says is
 * about what was tried, the sandbox alone decides. A watched agent is slower, each such call by
 * about a tenth of a millisecond.
 *
 * <p>Owns descriptors. Confined to the run's thread.
 */
final class DenialWatch implements Attendant, AutoCloseable {
    private static final int SCHEMA_VERSION = 1;
    private static final int TOLD_MAX = 100;

    /** Calls in a row before others have their turn. */
    private static final int ROUNDS = 64;

    private static final int PATH_BYTES_MAX = 4096;
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCKADDR_UN_BYTES = 110;
    private static final int SOCKADDR_UN_PATH = 2;
    private static final boolean X86 = Arch.host() == Arch.X86_64;

    private final Linux linux;
    private final Notices notices;
    private final DenialRules rules;
    private final OwnedFd listener;
    private final boolean json;
    private final boolean online;
    private final List<Denial> denials = new ArrayList<>();
    private @Nullable OwnedFd root;
    private boolean over;
    private int untold;

    DenialWatch(
            Linux linux, Notices notices, Profile profile, RunningSandbox sandbox, boolean json) {
        this.linux = linux;
        this.notices = notices;
        this.rules = new DenialRules(linux, profile);
        this.listener = sandbox.takeListener();
        this.json = json;
        this.online = profile.loopback().isPresent();
    }

    @Override
    public List<PollFd> awaited() {
        return over ? List.of() : List.of(new PollFd(listener, PollFd.POLLIN));
    }

    @Override
    public long patience() {
        return UNLIMITED;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        if (over) {
            return;
        }
        if ((happened[from] & PollFd.POLLHUP) != 0) {
            over = true;
        }
        List<PollFd> again = List.of(new PollFd(listener, PollFd.POLLIN));
        int events = happened[from];
        for (int i = 0; i < ROUNDS && (events & PollFd.POLLIN) != 0; i++) {
            Optional<Notification> call = linux.receiveNotification(listener);
            if (call.isPresent()) {
                hear(call.get());
            }
            events = linux.poll(again, 0)[0];
        }
    }

    /** Whatever goes wrong while looking, the call must get its answer: its process waits. */
    private void hear(Notification call) throws ErrnoException {
        int errno = 0;
        for (Attempt attempt : Attempt.of(call, X86)) {
            if (attempt.kind() == Attempt.Kind.NETWORK) {
                errno = Errno.EPERM;
            }
            try {
                note(judge(call, attempt));
            } catch (ErrnoException e) {
                // The process has ended, or its memory cannot be read: there is nothing to tell.
            }
        }
        linux.answer(listener, call, errno);
    }

    private void note(Optional<Denial> denial) {
        if (denial.isEmpty() || denials.contains(denial.get())) {
            return;
        }
        if (denials.size() < TOLD_MAX) {
            denials.add(denial.get());
        } else {
            untold++;
        }
    }

    private Optional<Denial> judge(Notification call, Attempt attempt) throws ErrnoException {
        if (attempt.kind() == Attempt.Kind.NETWORK) {
            return network(call.arguments()[0]);
        }
        if (attempt.kind() == Attempt.Kind.OTHER) {
            return Optional.empty();
        }
        boolean socket = attempt.kind() == Attempt.Kind.CONNECT;
        byte[] memory = linux.readMemory(
                call.pid(), attempt.address(), socket ? SOCKADDR_UN_BYTES : PATH_BYTES_MAX);
        int start = 0;
        if (socket) {
            if (memory.length <= SOCKADDR_UN_PATH || memory[0] != AF_UNIX || memory[1] != 0) {
                return Optional.empty();
            }
            start = SOCKADDR_UN_PATH;
        }
        byte[] path = text(memory, start);
        if (path.length == 0) {
            return Optional.empty(); // abstract, or a descriptor itself
        }
        return rules.judge(attempt, root(call.pid()), absolute(call.pid(), attempt, path));
    }

    private Optional<Denial> network(long family) {
        if (family != AF_INET && family != AF_INET6) {
            return Optional.empty();
        }
        return Optional.of(
                online
                        ? new Denial(
                                "use",
                                "UDP or another protocol than TCP",
                                "only TCP leaves, by Glove's proxy, which resolves names, too",
                                "")
                        : new Denial(
                                "use",
                                "the network",
                                "this run is offline",
                                "--egress-allow HOST:PORT"));
    }

    private static byte[] text(byte[] memory, int start) {
        int end = start;
        while (end < memory.length && memory[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(memory, start, end);
    }

    /** All processes have the same root: none may change it. */
    private OwnedFd root(int pid) throws ErrnoException {
        if (root == null) {
            root = linux.open(UnixPath.of("/proc/" + pid + "/root"), OpenFlags.O_PATH, 0);
        }
        return root;
    }

    private UnixPath absolute(int pid, Attempt attempt, byte[] path) throws ErrnoException {
        UnixPath given = UnixPath.of(path);
        if (given.isAbsolute()) {
            return given;
        }
        String base = attempt.directory() == Attempt.WORKING_DIRECTORY
                ? "/cwd"
                : "/fd/" + attempt.directory();
        return linux.readlink(UnixPath.of("/proc/" + pid + base)).resolve(given);
    }

    @Override
    public void ended(Exit exit) {
        if (json) {
            notices.print(json());
            return;
        }
        for (Denial denial : denials) {
            notices.say(denial.sentence());
        }
        if (untold > 0) {
            notices.say("denied: " + untold + " more things");
        }
        if (denials.isEmpty()) {
            notices.say("nothing was denied that --why hears of");
        }
    }

    private String json() {
        JsonWriter writer = new JsonWriter().beginObject();
        writer.member("schema_version", SCHEMA_VERSION).name("denied").beginArray();
        for (Denial denial : denials) {
            writer.beginObject()
                    .member("tried", denial.tried())
                    .member("subject", denial.subject())
                    .member("rule", denial.rule())
                    .member("option", denial.option())
                    .endObject();
        }
        return writer.endArray().member("untold", untold).endObject().toJson() + "\n";
    }

    @Override
    public void close() {
        listener.close();
        if (root != null) {
            root.close();
        }
    }
}
