package glove.journal;

/** A line of a file that should be an audit log, not looked into. Immutable. */
public final class AuditLine {
    /** How a line ends. */
    public enum End {
        /** With a line feed. */
        WHOLE,
        /** With the file. */
        TORN,
        /** Later than any line of Glove's. */
        TOO_LONG
    }

    private final long number;
    private final long offset;
    private final byte[] content;
    private final End end;

    AuditLine(long number, long offset, byte[] content, End end) {
        this.number = number;
        this.offset = offset;
        this.content = content;
        this.end = end;
    }

    /** Counted from 1. */
    public long number() {
        return number;
    }

    /** Where in the file it begins, in bytes. */
    public long offset() {
        return offset;
    }

    /** Its bytes with the line feed, not a copy; none when it is too long. */
    public byte[] bytes() {
        return content;
    }

    /** How it ends. */
    public End end() {
        return end;
    }

    /**
     * What stands there.
     *
     * @throws AuditLineException when Glove has not written that
     */
    public AuditEntry entry() throws AuditLineException {
        return switch (end) {
            case WHOLE -> AuditEntry.of(content);
            case TOO_LONG -> throw AuditEntry.tooLong();
            case TORN ->
                throw new AuditLineException("the file ends in the middle of it: Glove or the "
                        + "machine stopped while it was written");
        };
    }
}
