package glove.app;

import java.util.List;
import java.util.Optional;

/**
 * What a probe of {@code glove doctor} found. Immutable.
 *
 * @param code a name for programs: it does not change
 * @param message what it means, in one line
 * @param remedies what to type, or to change; none for what is well
 */
record Check(String code, Status status, String message, List<String> remedies) {
    /** How well a thing is. */
    enum Status {
        /** There, and does what it is for. */
        OK("ok"),
        /** This host does not offer it, and {@code exec} runs without it. */
        MISSING("missing"),
        /** Not known: this host stands in the way of the trial itself, not of the thing. */
        UNTRIED("untried"),
        /** Broken, or needed and not there. */
        FAILED("failed");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        /** As it is printed. */
        String word() {
            return word;
        }
    }

    /** Copies the list. */
    Check {
        remedies = List.copyOf(remedies);
    }

    static Check ok(String code, String message) {
        return new Check(code, Status.OK, message, List.of());
    }

    static Check missing(String code, String message, List<String> remedies) {
        return new Check(code, Status.MISSING, message, remedies);
    }

    /** With why it could not be tried, and what to type so that it can. */
    static Check untried(String code, String why, List<String> remedies) {
        return new Check(code, Status.UNTRIED, "not tried: " + why, remedies);
    }

    static Check failed(String code, String message, List<String> remedies) {
        return new Check(code, Status.FAILED, message, remedies);
    }

    boolean isOk() {
        return status == Status.OK;
    }

    boolean isUntried() {
        return status == Status.UNTRIED;
    }

    /** The one of a code among several. */
    static Optional<Check> of(List<Check> checks, String code) {
        for (Check check : checks) {
            if (check.code.equals(code)) {
                return Optional.of(check);
            }
        }
        return Optional.empty();
    }
}
