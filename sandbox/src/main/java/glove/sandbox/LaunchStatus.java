package glove.sandbox;

import java.nio.ByteBuffer;

/**
 * One message of the launcher (plan.h, {@code struct status}).
 *
 * @param value a step index, pid, exit code or signal, depending on the kind
 * @param errno of a failure, else 0
 */
record LaunchStatus(int kind, int stage, int value, int errno) {
    static final int BYTES = 16;

    static final int REJECTED = 1;
    static final int FAILED = 2;
    static final int CREATED = 3;
    static final int STARTED = 4;
    static final int EXITED = 5;
    static final int SIGNALED = 6;
    static final int INIT_LOST = 7;
    static final int STOPPED = 8;
    static final int HANDED = 9;

    static final int STAGE_OUTER = 2;
    static final int STAGE_CLONE = 3;
    static final int STAGE_MAPS = 4;
    static final int STAGE_INIT = 6;
    static final int STAGE_AGENT = 8;
    static final int STAGE_SETTLE = 9;
    static final int STAGE_WAIT = 10;

    static final LaunchStatus NONE = new LaunchStatus(0, 0, -1, 0);

    static LaunchStatus decode(byte[] message) {
        ByteBuffer in = PlanWriter.littleEndian(message);
        return new LaunchStatus(in.getInt(), in.getInt(), in.getInt(), in.getInt());
    }
}
