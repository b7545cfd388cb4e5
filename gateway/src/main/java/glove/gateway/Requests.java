package glove.gateway;

import glove.gateway.GatewayLimits.Times;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests one run of an upstream has not answered, by ids of ours. An answer reaches the
 * request it names or nobody. Confined to the gateway's thread.
 */
final class Requests {
    private static final int GIVEN_UP_MAX = 1024;
    private static final long MILLI = 1_000_000L;

    private final String upstream;
    private final Times times;
    private final Map<Long, Pending> pending = new LinkedHashMap<>();

    /** Given up; their answers may still come and mean nothing. */
    private final Set<Long> givenUp = new LinkedHashSet<>();

    private long last;

    Requests(String upstream, Times times) {
        this.upstream = upstream;
        this.times = times;
    }

    int size() {
        return pending.size();
    }

    /** Gives a request its id and its time. */
    void add(Pending request, long now, long firstMillis, long hardMillis) {
        request.id = ++last;
        request.due = now + firstMillis * MILLI;
        request.hardDue = now + hardMillis * MILLI;
        pending.put(request.id, request);
    }

    /** The same with the times of an agent's request. */
    void add(Pending request, long now) {
        add(request, now, times.first(), times.hard());
    }

    /** Takes an answer; whether it was one to a request. */
    boolean answer(Message answer) {
        long id = answer.id().ours();
        Pending request = pending.remove(id);
        if (request != null) {
            request.answered(answer);
            return true;
        }
        if (givenUp.remove(id)) {
            return true; // whoever gave it up has recorded that
        }
        return false;
    }

    /** Passes a progress notification to the request whose it is. */
    void progress(Message progress, long now) {
        Pending request = alive(progress, now);
        if (request != null) {
            request.progressed(progress);
        }
    }

    /** The request of a progress notification, if there is one, has some more time. */
    @Nullable
    Pending alive(Message progress, long now) {
        long id = progress.param(Protocol.PROGRESS_TOKEN)
                .flatMap(MessageId::read)
                .map(MessageId::ours)
                .orElse(-1L);
        Pending request = pending.get(id);
        if (request != null) {
            request.due = now + times.idle() * MILLI;
        }
        return request;
    }

    /** Forgets a request whose answer nobody wants any more. */
    void giveUp(Pending request) {
        if (pending.remove(request.id) == null) {
            return;
        }
        givenUp.add(request.id);
        if (givenUp.size() > GIVEN_UP_MAX) {
            givenUp.remove(givenUp.iterator().next());
        }
    }

    /** Whoever was waited for has done something: silence begins anew. */
    void touch(long now) {
        for (Pending request : pending.values()) {
            request.due = Math.max(request.due, now + times.idle() * MILLI);
        }
    }

    /**
     * Those whose time is over; each is forgotten already.
     *
     * @param isWaiting whether the upstream itself waits for somebody, so that its silence is none
     */
    List<Pending> overdue(long now, boolean isWaiting) {
        List<Pending> over = new ArrayList<>();
        for (Pending request : pending.values()) {
            if (dueOf(request, isWaiting) - now <= 0) {
                over.add(request);
            }
        }
        over.forEach(this::giveUp);
        return over;
    }

    private static long dueOf(Pending request, boolean isWaiting) {
        boolean hard = isWaiting || request.hardDue - request.due < 0;
        return hard ? request.hardDue : request.due;
    }

    /** The earliest moment that concerns one, or the given one when that is earlier. */
    long earliest(long other, boolean isWaiting) {
        long earliest = other;
        for (Pending request : pending.values()) {
            long due = dueOf(request, isWaiting);
            earliest = due - earliest < 0 ? due : earliest;
        }
        return earliest;
    }

    /**
     * An answer came that cannot be read. When one request is under way it was meant for that,
     * which else would wait for it in vain; among several nobody can tell.
     */
    void loseOnly(String reason) {
        if (pending.size() == 1) {
            Pending request = pending.values().iterator().next();
            giveUp(request);
            request.lost(Protocol.INTERNAL_ERROR, "upstream " + upstream + " " + reason);
        }
    }

    /** An answer to that request came that cannot be read. */
    void lose(MessageId id, String reason) {
        Pending request = pending.get(id.ours());
        if (request != null) {
            giveUp(request);
            request.lost(Protocol.INTERNAL_ERROR, "upstream " + upstream + " " + reason);
        }
    }

    /** The upstream is gone: none will be answered. */
    void loseAll(String reason) {
        List<Pending> all = new ArrayList<>(pending.values());
        pending.clear();
        givenUp.clear();
        for (Pending request : all) {
            request.lost(Protocol.UPSTREAM_GONE, "upstream " + upstream + " " + reason);
        }
    }
}
