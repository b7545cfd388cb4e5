package glove.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a registry should say, told from a table of states and a list of keys alone: no records, no
 * digests. Requests are steps with a number of what they commit to, so that the same number is the
 * same request.
 */
final class SessionModel {
    /** The steps of a session. */
    enum Step {
        CREATE,
        RESERVE,
        START,
        RUN,
        STOP,
        EXIT,
        FAIL
    }

    /**
     * One request. Immutable.
     *
     * @param variant of two that differ in what they ask for
     */
    record Request(Step step, String id, String key, int variant) {}

    private final Map<String, SessionState> states = new HashMap<>();
    private final Map<String, Integer> profiles = new HashMap<>();
    private final Map<String, Request> keys = new HashMap<>();
    private final int recordsMax;

    SessionModel(int recordsMax) {
        this.recordsMax = recordsMax;
    }

    Map<String, SessionState> states() {
        return states;
    }

    int records() {
        return keys.size();
    }

    /** As in "done created", "again created", "conflict". */
    String answer(Request request) {
        Request used = keys.get(request.key());
        if (used != null) {
            return used.equals(request) ? "again " + after(request).word() : "IDEMPOTENCY_CONFLICT";
        }
        SessionState now = states.get(request.id());
        if (request.step() == Step.CREATE && now != null) {
            return "SESSION_CONFLICT";
        }
        if (request.step() != Step.CREATE) {
            if (now == null) {
                return "NOT_FOUND";
            }
            if (!now.mayBecome(after(request))) {
                return "INVALID_STATE";
            }
        }
        boolean other = profiles.getOrDefault(request.id(), request.variant()) != request.variant();
        if (other) {
            return request.step() == Step.RUN ? "INVALID_AUTHORIZATION" : "INVALID_STATE";
        }
        if (keys.size() == recordsMax) {
            return "CAPACITY";
        }
        if (request.step() == Step.START) {
            profiles.put(request.id(), request.variant());
        }
        states.put(request.id(), after(request));
        keys.put(request.key(), request);
        return "done " + after(request).word();
    }

    private static SessionState after(Request request) {
        return switch (request.step()) {
            case CREATE -> SessionState.CREATED;
            case RESERVE -> SessionState.PREPARING;
            case START -> SessionState.STARTING;
            case RUN -> SessionState.RUNNING;
            case STOP -> SessionState.STOPPING;
            case EXIT -> SessionState.EXITED;
            case FAIL -> SessionState.FAILED;
        };
    }

    /** Requests of a few sessions and keys, so that they meet. */
    static List<Request> history(Random random, int length) {
        List<Request> history = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (!history.isEmpty() && random.nextInt(5) == 0) {
                history.add(history.get(random.nextInt(history.size())));
                continue;
            }
            Step step = Step.values()[random.nextInt(Step.values().length)];
            // Only what is launched has two kinds here.
            boolean kinds = step.compareTo(Step.START) >= 0;
            int variant = kinds && random.nextInt(8) == 0 ? 1 : 0;
            String key = "key-" + random.nextInt(3 * length);
            history.add(new Request(step, "session-" + random.nextInt(5), key, variant));
        }
        return history;
    }
}
