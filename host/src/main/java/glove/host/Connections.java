package glove.host;

import glove.sys.ErrnoException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All clients there are, the oldest first, and what they hold in memory together. Owns them.
 * Confined to the server's thread.
 */
final class Connections {
    private final Map<Long, Connection> all = new LinkedHashMap<>();
    private final DropReport drops;
    private long lastNumber;
    private long heldBytes;

    /** No deadline is earlier; a scan for those that passed, of as many as there are, waits. */
    private long earliestNanos = Long.MAX_VALUE;

    Connections(DropReport drops) {
        this.drops = drops;
    }

    int count() {
        return all.size();
    }

    /** What all hold together that do not count as work. */
    long heldBytes() {
        return heldBytes;
    }

    /** A number no other has or had. */
    long nextNumber() {
        return ++lastNumber;
    }

    void add(Connection connection) {
        all.put(connection.number(), connection);
        earliestNanos = Math.min(earliestNanos, connection.deadlineNanos());
    }

    /** The one with a number; empty when it has gone meanwhile. */
    Optional<Connection> find(long number) {
        return Optional.ofNullable(all.get(number));
    }

    boolean has(Connection connection) {
        return all.containsKey(connection.number());
    }

    /** Something a connection does, which changes what it holds and how long it may. */
    interface Step<T> {
        T take() throws ErrnoException;
    }

    /** Takes a step of a connection and counts anew what it holds, whatever comes of it. */
    <T> T take(Connection connection, Step<T> step) throws ErrnoException {
        heldBytes -= connection.heldBytes();
        try {
            return step.take();
        } finally {
            heldBytes += connection.heldBytes();
            earliestNanos = Math.min(earliestNanos, connection.deadlineNanos());
        }
    }

    /** The same for a step that cannot fail. */
    void update(Connection connection, Runnable step) {
        heldBytes -= connection.heldBytes();
        step.run();
        heldBytes += connection.heldBytes();
        earliestNanos = Math.min(earliestNanos, connection.deadlineNanos());
    }

    /** Closes one; a second time this does nothing. */
    void remove(Connection connection) {
        if (all.remove(connection.number()) != null) {
            heldBytes -= connection.heldBytes();
            connection.close(); // which takes it out of epoll
        }
    }

    void drop(Connection connection, DropReport.Reason reason) {
        if (has(connection)) {
            drops.count(reason);
            remove(connection);
        }
    }

    /**
     * Drops one that waits for its client, the oldest: of those that have said nothing yet when
     * they have more than half of the places, else of those that have. So neither a flood of silent
     * ones nor one of slow ones takes all places of the other kind.
     *
     * @param places there are
     * @return false when none waits for its client
     */
    boolean makeRoom(int places) {
        Optional<Connection> silent = Optional.empty();
        Optional<Connection> speaking = Optional.empty();
        int silentCount = 0;
        for (Connection connection : all.values()) {
            if (connection.isSilent()) {
                silent = silent.isEmpty() ? Optional.of(connection) : silent;
                silentCount++;
            } else if (connection.waitsForClient() && speaking.isEmpty()) {
                speaking = Optional.of(connection);
            }
            if (silentCount > places / 2) {
                speaking = Optional.empty();
                break;
            }
        }
        Optional<Connection> oldest = speaking.isPresent() ? speaking : silent;
        oldest.ifPresent(connection -> drop(connection, DropReport.Reason.TOO_MANY));
        return oldest.isPresent();
    }

    /** Drops one that holds memory while nobody works for it, the oldest. */
    boolean freeMemory() {
        for (Connection connection : all.values()) {
            if (connection.holdsIdly()) {
                drop(connection, DropReport.Reason.TOO_MUCH);
                return true;
            }
        }
        return false;
    }

    /** No client has to go on before that. */
    long earliestNanos() {
        return earliestNanos;
    }

    /** What becomes of a connection whose request is being carried out. */
    interface Late {
        /** Gives it a new deadline, or takes it away. */
        void take(Connection connection);
    }

    /** Drops those whose time is over, or has looked at them if they are not waited for. */
    void expire(long nowNanos, Late late) {
        if (nowNanos < earliestNanos) {
            return;
        }
        for (Connection connection : list()) {
            if (connection.deadlineNanos() <= nowNanos) {
                if (connection.waitsForClient()) {
                    drop(connection, DropReport.Reason.TOO_SLOW);
                } else {
                    late.take(connection);
                }
            }
        }
        long earliest = Long.MAX_VALUE;
        for (Connection connection : all.values()) {
            earliest = Math.min(earliest, connection.deadlineNanos());
        }
        earliestNanos = earliest;
    }

    /** The oldest of a kind. */
    Optional<Connection> oldest(Predicate<Connection> kind) {
        return all.values().stream().filter(kind).findFirst();
    }

    /** Those whose request is being carried out, or waits for that. */
    List<Connection> working() {
        return all.values().stream()
                .filter(one -> one.state() == Connection.State.WORKING)
                .toList();
    }

    /** Ends those who have not asked yet. */
    void removeReceiving() {
        for (Connection connection : list()) {
            if (connection.state() == Connection.State.RECEIVING) {
                remove(connection);
            }
        }
    }

    void removeAll() {
        list().forEach(this::remove);
    }

    private List<Connection> list() {
        return new ArrayList<>(all.values());
    }
}
