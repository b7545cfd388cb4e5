package glove.wire;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Cuts a stream of bytes into lines. A line ends with LF and nothing else; a CR before it stays,
 * being space to JSON. Holds at most one line of the bound and what was added behind it: take all
 * that is there before adding more. Confined to one thread.
 */
public final class LineFrames {
    /** Smaller pieces are copied together, so that a slow sender cannot make them cost more. */
    private static final int PIECE_BYTES = 4 << 10;

    private static final int ROOM_BYTES = PIECE_BYTES * 2;
    private static final byte[] NONE = {};

    /** Bytes from its read position to its end; those behind belong to nobody yet. */
    private static final class Piece {
        private final byte[] bytes;
        private int from;
        private int to;

        Piece(byte[] bytes, int to) {
            this.bytes = bytes;
            this.to = to;
        }
    }

    private final int frameBytesMax;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();

    /** Room that no piece uses; empty when there is none. */
    private byte[] spare = NONE;

    /** How many bytes are held that belong to no line that was taken. */
    private int held;

    /** How many of them are known to hold no LF. */
    private int searched;

    /**
     * No lines yet.
     *
     * @param frameBytesMax of a line, without its LF
     */
    public LineFrames(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /** Adds what was read; the array is not the caller's any more. */
    public void add(byte[] read) {
        held = Math.addExact(held, read.length);
        Piece last = pieces.peekLast();
        if (read.length >= PIECE_BYTES) {
            pieces.add(new Piece(read, read.length));
        } else if (last != null && last.bytes.length - last.to >= read.length) {
            System.arraycopy(read, 0, last.bytes, last.to, read.length);
            last.to += read.length;
        } else if (read.length > 0) {
            pieces.add(piece(read));
        }
    }

    /** With room for more, which is there already when a piece before was used up. */
    private Piece piece(byte[] read) {
        byte[] room = spare.length > 0 ? spare : new byte[ROOM_BYTES];
        spare = NONE;
        System.arraycopy(read, 0, room, 0, read.length);
        return new Piece(room, read.length);
    }

    /**
     * Takes the next line, without its LF, if all of it is there. It may be empty.
     *
     * @throws FrameException when it is longer than the bound, and for ever after
     */
    public Optional<byte[]> take() throws FrameException {
        int length = find();
        if (length < 0 ? held > frameBytesMax : length > frameBytesMax) {
            throw new FrameException("a line of more than " + frameBytesMax + " bytes");
        }
        if (length < 0) {
            searched = held;
            return Optional.empty();
        }
        byte[] frame = new byte[length];
        int done = 0;
        while (done < length) {
            Piece first = pieces.element();
            int count = Math.min(length - done, first.to - first.from);
            System.arraycopy(first.bytes, first.from, frame, done, count);
            done += count;
            advance(first, count);
        }
        advance(pieces.element(), 1); // the LF
        held -= length + 1;
        searched = 0;
        return Optional.of(frame);
    }

    private void advance(Piece first, int count) {
        first.from += count;
        if (first.from == first.to) {
            pieces.remove();
            if (first.bytes.length == ROOM_BYTES) {
                spare = first.bytes;
            }
        }
    }

    /** How long the next line is, without its LF; negative while not all of it is there. */
    public int nextLength() {
        int length = find();
        searched = length < 0 ? held : searched;
        return length;
    }

    /** How many bytes stand before the next LF; negative when there is none. */
    private int find() {
        int before = 0;
        for (Piece piece : pieces) {
            int size = piece.to - piece.from;
            if (before + size > searched) {
                int skipped = Math.max(0, searched - before);
                for (int at = piece.from + skipped; at < piece.to; at++) {
                    if (piece.bytes[at] == '\n') {
                        return before + at - piece.from;
                    }
                }
            }
            before += size;
        }
        return -1;
    }

    /** How many bytes are held. */
    public int heldBytes() {
        return held;
    }

    /**
     * The stream is at its end.
     *
     * @throws FrameException when a line was begun and not ended
     */
    public void end() throws FrameException {
        if (held > 0) {
            throw new FrameException(
                    "the stream ended within a line, after " + held + " bytes of it");
        }
    }
}
