package glove.host;

import glove.wire.JsonWriter;

/**
 * Something a controller can ask for. Immutable.
 *
 * @param name on the wire
 * @param pace where it may be carried out
 * @param handler carries it out
 */
record ControlMethod(String name, Pace pace, Handler handler) {
    /** How long it takes. */
    enum Pace {
        /** Microseconds, from memory: the thread that serves the sockets does it. */
        QUICK,
        /** It waits for a disk, or checks much: a worker does it. */
        SLOW,
        /**
         * It reads what others may have made as large as they liked, and changes nothing: few are
         * carried out at once, apart from all others, and are given up when nobody waits for them.
         */
        LONG
    }

    /** Carries it out. Called by any thread, several at once. */
    interface Handler {
        /**
         * Writes the result.
         *
         * @throws ControlException to be told instead of it
         */
        void answer(ControlCall call, JsonWriter result) throws ControlException;
    }

    static ControlMethod quick(String name, Handler handler) {
        return new ControlMethod(name, Pace.QUICK, handler);
    }

    static ControlMethod lasting(String name, Handler handler) {
        return new ControlMethod(name, Pace.LONG, handler);
    }

    static ControlMethod slow(String name, Handler handler) {
        return new ControlMethod(name, Pace.SLOW, handler);
    }
}
