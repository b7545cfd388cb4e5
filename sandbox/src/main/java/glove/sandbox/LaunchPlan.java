package glove.sandbox;

import java.util.List;

/**
 * Everything the launcher will do for one run, complete and self-contained: its binary form
 * (native/launcher/plan.h) and, for error texts, what each step is for. Immutable.
 */
public final class LaunchPlan {
    /** plan.h, struct plan_header. */
    private static final int CLONE_FLAGS_AT = 48;

    private static final long CLONE_NEWUSER = 0x1000_0000L;
    private static final StepSubject GENERAL = new StepSubject("launch", StepSubject.NO_PATH);

    private final byte[] bytes;
    private final List<StepSubject> subjects;
    private final List<HandOut> handed;

    LaunchPlan(byte[] bytes, List<StepSubject> subjects, List<HandOut> handed) {
        this.bytes = bytes;
        this.subjects = List.copyOf(subjects);
        this.handed = List.copyOf(handed);
    }

    /** What it sends outside before the agent starts. */
    List<HandOut> handed() {
        return handed;
    }

    /** The binary form; the caller must not change it. */
    byte[] bytes() {
        return bytes;
    }

    /** Whether process 1 gets a user namespace, which hosts forbid more often than others. */
    boolean makesUserNamespace() {
        return (PlanWriter.littleEndian(bytes).getLong(CLONE_FLAGS_AT) & CLONE_NEWUSER) != 0;
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
