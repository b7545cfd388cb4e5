package glove.sandbox;

import java.util.List;

/**
 * Everything the launcher will do for one run, complete and self-contained: its binary form
 * (native/launcher/plan.h) and, for error texts, what each step is for. Immutable.
 */
public final class LaunchPlan {
    private static final StepSubject GENERAL = new StepSubject("launch", StepSubject.NO_PATH);

    private final byte[] bytes;
    private final List<StepSubject> subjects;

    LaunchPlan(byte[] bytes, List<StepSubject> subjects) {
        this.bytes = bytes;
        this.subjects = List.copyOf(subjects);
    }

    /** The binary form; the caller must not change it. */
    byte[] bytes() {
        return bytes;
    }

    /** Number of steps over all phases. */
    public int stepCount() {
        return subjects.size();
    }

    /** What step {@code index} is for; a general word when there is no such step. */
    StepSubject subjectOf(int index) {
        return index >= 0 && index < subjects.size() ? subjects.get(index) : GENERAL;
    }
}
