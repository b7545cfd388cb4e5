package glove.sandbox;

/** How the agent ended, exactly as the kernel told (waitpid(2)). */
public sealed interface Exit {
    /** What a shell would report: the code, or 128 and the signal. */
    int shellStatus();

    /** It exited with this code. */
    record Exited(int code) implements Exit {
        @Override
        public int shellStatus() {
            return code;
        }
    }

    /** A signal ended it. */
    record Signaled(int signal) implements Exit {
        @Override
        public int shellStatus() {
            return 128 + signal;
        }
    }
}
