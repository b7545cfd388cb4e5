package glove.sandbox;

import glove.sys.Bug;
import glove.sys.ErrnoException;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The descriptors that come out of one sandbox: those its plan sends before the agent exists, each
 * once, and the sockets process 1 is asked for while it serves. Any other is a broken promise, for
 * which the run ends: no code of the agent's can send here.
 *
 * <p>Owns what has come and is not taken. Confined to the run's thread.
 */
final class HandedOut implements AutoCloseable {
    /** plan.h, enum control. */
    private static final int CONTROL_SOCKET = 254;

    private static final int CONTROL_SOCKET6 = 255;

    private final Linux linux;
    private final List<HandOut> planned;
    private final List<HandOut> missing;
    private final Map<Integer, OwnedFd> kept = new HashMap<>();
    private final ArrayDeque<AskedSocket> asked = new ArrayDeque<>();

    HandedOut(Linux linux, List<HandOut> planned) {
        this.linux = linux;
        this.planned = planned;
        this.missing = new ArrayList<>(planned);
    }

    /** A message says it brings a descriptor, or one has come with another. */
    void receive(LaunchStatus message, Optional<OwnedFd> fd) throws LaunchException {
        boolean brings = message.kind() == LaunchStatus.HANDED;
        if (brings && message.stage() == LaunchStatus.STAGE_WAIT) {
            answer(message, fd);
        } else if (brings && fd.isPresent()) {
            keep(message.value(), fd.get());
        } else {
            close(fd);
            throw broken("a descriptor came with the wrong message, or none with the right one");
        }
    }

    private void keep(int knownAs, OwnedFd fd) throws LaunchException {
        for (int i = 0; i < missing.size(); i++) {
            HandOut wanted = missing.get(i);
            if (wanted.knownAs() == knownAs) {
                missing.remove(i);
                kept.put(knownAs, fd);
                if (wanted.listener().isPresent()) {
                    requireListener(fd, wanted.listener().get());
                }
                return;
            }
        }
        fd.close();
        throw broken("nobody asked for descriptor " + knownAs);
    }

    private void answer(LaunchStatus message, Optional<OwnedFd> fd) throws LaunchException {
        AskedSocket first = asked.pollFirst();
        if (first == null || message.value() != control(first.domain())) {
            close(fd);
            throw broken("nobody asked for socket " + message.value());
        }
        if (fd.isEmpty()) {
            if (message.errno() == 0) {
                throw broken("a socket without a descriptor");
            }
            first.answer(message.errno());
            return;
        }
        try {
            requireFresh(fd.get(), first.domain());
        } catch (LaunchException e) {
            fd.get().close();
            throw e;
        }
        first.answer(fd.get());
    }

    private static void close(Optional<OwnedFd> fd) {
        if (fd.isPresent()) {
            fd.get().close();
        }
    }

    private void requireListener(OwnedFd fd, IpEndpoint endpoint) throws LaunchException {
        try {
            HandedSocket found = HandedSocket.of(linux, fd);
            if (!found.equals(HandedSocket.listener(endpoint))) {
                throw broken("no listener on " + endpoint + " but " + found);
            }
        } catch (ErrnoException e) {
            throw broken("no listener on " + endpoint + ": " + e.getMessage());
        }
    }

    private void requireFresh(OwnedFd fd, int domain) throws LaunchException {
        try {
            HandedSocket found = HandedSocket.of(linux, fd);
            if (!found.equals(HandedSocket.fresh(domain))) {
                throw broken("no fresh socket but " + found);
            }
        } catch (ErrnoException e) {
            throw broken("no fresh socket: " + e.getMessage());
        }
    }

    private static LaunchException broken(String what) {
        return new LaunchException(
                "the run was ended, because the sandbox handed out what it should not: " + what,
                LaunchStatus.NONE);
    }

    /** The agent starts: all the plan promised must be here. */
    void requireAll() throws LaunchException {
        if (!missing.isEmpty()) {
            throw broken("descriptor " + missing.get(0).knownAs() + " is missing");
        }
    }

    /** Whether the plan sends this one. */
    boolean isPlanned(int knownAs) {
        for (HandOut one : planned) {
            if (one.knownAs() == knownAs) {
                return true;
            }
        }
        return false;
    }

    /** Gives it to the caller, once. */
    OwnedFd take(int knownAs) {
        OwnedFd fd = kept.remove(knownAs);
        if (fd == null) {
            throw new Bug("the plan has not handed out descriptor " + knownAs);
        }
        return fd;
    }

    /** Waits for an answer to one more {@link #control} byte. */
    AskedSocket ask(int domain) {
        AskedSocket socket = new AskedSocket(domain);
        asked.addLast(socket);
        return socket;
    }

    /** What process 1 is to be sent for a socket of this family. */
    static int control(int domain) {
        return domain == Linux.AF_INET ? CONTROL_SOCKET : CONTROL_SOCKET6;
    }

    @Override
    public void close() {
        for (OwnedFd fd : kept.values()) {
            fd.close();
        }
        kept.clear();
        asked.clear();
    }
}
