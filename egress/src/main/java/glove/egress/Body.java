package glove.egress;

import glove.sys.ErrnoException;

/** A body of HTTP on its way: lets pass what belongs to it, and nothing behind it. */
final class Body {
    /** What is looked at for the sizes of chunks; data beyond it passes unseen. */
    private static final int WINDOW_BYTES = 16 << 10;

    private static final int ROUNDS = 8;

    private final Hub hub;
    private final Way way;
    private final Stream from;
    private final BodyFraming.Kind kind;
    private final ChunkScanner scanner;
    private boolean ended;

    /** One whose bytes come next from the source of the way. */
    Body(Hub hub, Way way, Stream from, BodyFraming framing, ChunkScanner scanner) {
        this.hub = hub;
        this.way = way;
        this.from = from;
        this.kind = framing.kind();
        this.scanner = scanner;
        if (kind == BodyFraming.Kind.LENGTH) {
            way.allow(framing.length());
        } else if (kind == BodyFraming.Kind.UNTIL_CLOSE) {
            way.allow(Way.ALL);
        }
    }

    /** All of it was taken from the source. */
    boolean isTaken() {
        if (kind == BodyFraming.Kind.UNTIL_CLOSE) {
            return way.isOver();
        }
        return way.allowance() == 0 && (kind != BodyFraming.Kind.CHUNKED || scanner.isDone());
    }

    /** All of it was taken and has reached the receiver. */
    boolean isDone() {
        return isTaken() && way.isDrained() && !way.isBroken();
    }

    /** The source ended before its end. */
    boolean isCut() {
        return (ended || way.isEnded()) && !isTaken();
    }

    /**
     * Passes on what is there.
     *
     * @return true when there may be more that could be passed on at once
     */
    boolean advance() throws ErrnoException, MalformedException {
        for (int i = 0; i < ROUNDS; i++) {
            if (way.advance()) {
                return true;
            }
            boolean looks = kind == BodyFraming.Kind.CHUNKED
                    && !scanner.isDone()
                    && way.allowance() == 0
                    && way.isDrained();
            if (!looks || way.isOver() || !look()) {
                return false;
            }
        }
        return true;
    }

    /** Finds out how much more belongs to it; false when nothing is there. */
    private boolean look() throws ErrnoException, MalformedException {
        if (!from.isReadable()) {
            return false;
        }
        int count = from.peek(WINDOW_BYTES);
        ended |= count == 0;
        if (count <= 0) {
            return false;
        }
        way.allow(scanner.scan(hub.scratch, 0, count));
        long data = scanner.dataLeft();
        if (data > 0) {
            scanner.skip(data);
            way.allow(data);
        }
        return true;
    }
}
