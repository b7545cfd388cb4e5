package glove.journal;

import java.util.Optional;

/**
 * Whether a log is one chain from its first line to its last. It proves that no line between them
 * was changed, removed, put in or moved without making all that follow anew; of the end it proves
 * nothing unless a {@link Mark} was noted down. Confined to one thread.
 */
public final class AuditChain {
    /**
     * A line by which a log can be known again. Immutable.
     *
     * @param digest SHA-256 of the line with its line feed, in hexadecimal
     */
    public record Mark(long sequence, String digest) {
        /** Reads {@code SEQUENCE:DIGEST}; empty when it is not that. */
        public static Optional<Mark> parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 1 || !AuditEntry.isDigest(text.substring(colon + 1))) {
                return Optional.empty();
            }
            try {
                long sequence = Long.parseLong(text.substring(0, colon));
                Mark mark = new Mark(sequence, text.substring(colon + 1));
                return mark.toString().equals(text) ? Optional.of(mark) : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        @Override
        public String toString() {
            return sequence + ":" + digest;
        }
    }

    /**
     * The first thing that is wrong. Immutable.
     *
     * @param line counted from 1
     * @param offset of the line in the file
     * @param what may be shown on a terminal
     */
    public record Fault(long line, long offset, String what) {}

    private final Optional<Mark> expected;
    private long lines;
    private Optional<AuditEvent> first = Optional.empty();
    private Optional<AuditEvent> last = Optional.empty();
    private long sequence; // of the next line
    private String previous = AuditLog.NO_PREVIOUS; // digest of the line before
    private Optional<Fault> fault = Optional.empty();

    private AuditChain(Optional<Mark> expected) {
        this.expected = expected;
    }

    /**
     * Reads a file from where it is up to its end, or up to the first fault.
     *
     * @param expected a line that must be there
     */
    public static AuditChain of(AuditFile file, Optional<Mark> expected) throws AuditException {
        AuditChain chain = new AuditChain(expected);
        for (; ; ) {
            Optional<AuditLine> line = file.next();
            if (line.isEmpty()) {
                chain.end();
                return chain;
            }
            try {
                chain.add(line.get());
            } catch (AuditLineException e) {
                chain.fail(line.get().number(), line.get().offset(), e.getMessage());
                return chain;
            }
        }
    }

    private void fail(long line, long offset, String what) {
        fault = Optional.of(new Fault(line, offset, what));
    }

    private void add(AuditLine line) throws AuditLineException {
        AuditEntry entry = line.entry();
        if (entry.sequence() != sequence) {
            boolean missing = entry.sequence() > sequence;
            throw new AuditLineException("it has number " + entry.sequence() + " where " + sequence
                    + " belongs: " + (missing ? "lines before it are missing" : "it was put here"));
        }
        if (!entry.previous().equals(previous)) {
            throw new AuditLineException("'previous' is not the digest of the line before: that "
                    + "one was changed after it was written, or this one was put here");
        }
        String digest = AuditLog.sha256(line.bytes());
        if (isExpected(sequence) && !expected.orElseThrow().digest().equals(digest)) {
            throw new AuditLineException(
                    "it has the number that was noted down, but is another line: this one or one "
                            + "before it was changed, and the chain made anew");
        }
        first = lines == 0 ? Optional.of(entry.event()) : first;
        last = Optional.of(entry.event());
        previous = digest;
        sequence++;
        lines++;
    }

    private boolean isExpected(long number) {
        return expected.isPresent() && expected.get().sequence() == number;
    }

    private void end() {
        if (expected.isPresent() && expected.get().sequence() >= sequence) {
            fail(
                    lines + 1,
                    -1,
                    "it is missing: the line with number " + expected.get().sequence()
                            + " that was noted down is not there, the end was cut off");
        }
    }

    /** How many lines are well, from the first on. */
    public long lines() {
        return lines;
    }

    /** The first of them. */
    public Optional<AuditEvent> first() {
        return first;
    }

    /** The last of them. */
    public Optional<AuditEvent> last() {
        return last;
    }

    /** What to note down of the last of them; empty when there is none. */
    public Optional<Mark> mark() {
        return lines == 0 ? Optional.empty() : Optional.of(new Mark(sequence - 1, previous));
    }

    /** What is wrong; empty when the chain is whole. */
    public Optional<Fault> fault() {
        return fault;
    }
}
