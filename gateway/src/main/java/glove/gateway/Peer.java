package glove.gateway;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.wire.FrameException;
import glove.wire.FrameQueue;
import glove.wire.LineFrames;

import java.util.Arrays;
import java.util.Optional;

/**
 * The lines that come from a peer and those that wait to go to it. What is sent waits here until
 * {@link #flush}: the events of a turn are recorded in between. Owns its channel. Confined to the
 * gateway's thread.
 */
final class Peer implements AutoCloseable {
    private static final int READ_BYTES = 64 << 10;

    /** Messages that are larger and take longer are seldom, or their sender rests. */
    private static final long LONG_NANOS = 10_000_000;

    private static final int LONG_BYTES = 256 << 10;

    /** Of one round: what is read, and once more what is taken as a message. */
    static final int ROUND_BYTES = 512 << 10;

    /** In how far it is still there. */
    private enum End {
        NO,
        /** It says no more. */
        IN,
        /** It is gone, or says what cannot be read. */
        ALL
    }

    private final Hub hub;
    private final Linux linux;
    private final Watches watches;
    private final Channel channel;
    private final Watched in = new Watched();
    private final Watched out;
    private final LineFrames lines;
    private final FrameQueue queue = new FrameQueue(Integer.MAX_VALUE); // bounded by who sends
    private final byte[] scratch;
    private final LargeFrames large;
    private final HeldLines heldLines;
    private long allowance;
    private long restUntil;
    private int frames;
    private boolean mayHoldLine;
    private End end = End.NO;
    private String endReason = "";

    private Peer(Hub hub, Channel channel, int frameBytesMax) {
        this.hub = hub;
        this.linux = hub.linux;
        this.watches = hub.watches;
        this.channel = channel;
        this.out = channel.isOneSocket() ? in : new Watched();
        this.lines = new LineFrames(frameBytesMax);
        this.scratch = hub.scratch;
        this.large = hub.large;
        this.heldLines = hub.heldLines;
    }

    /** Room for one read, which peers share. */
    static byte[] newScratch() {
        return new byte[READ_BYTES];
    }

    /** A peer that is watched; the channel is closed when this fails. */
    static Peer open(Hub hub, Channel channel, int frameBytesMax, HeldLines.Side side)
            throws ErrnoException {
        Peer peer = new Peer(hub, channel, frameBytesMax);
        boolean complete = false;
        try {
            hub.watches.add(channel.in(), peer.in);
            if (!channel.isOneSocket()) {
                hub.watches.add(channel.out(), peer.out);
            }
            hub.heldLines.add(peer, side);
            complete = true;
        } finally {
            if (!complete) {
                peer.close();
            }
        }
        return peer;
    }

    /** Whether {@link #take} may give something now. */
    boolean hasWork() {
        return !isResting() && !isExhausted();
    }

    /** Whether there is nothing to take, now or when it has rested. */
    boolean isExhausted() {
        return !mayHoldLine && (end != End.NO || !in.isReadable());
    }

    /** Whether what it says waits, because what it said took long. */
    private boolean isResting() {
        return end != End.ALL && restUntil - hub.now() > 0;
    }

    /** The moment it has rested, or the given one when that is earlier. */
    long earliest(long other) {
        return isResting() && restUntil - other < 0 ? restUntil : other;
    }

    /**
     * A message of that size took so long to look at. All who speak together shall not take more
     * than half of the time with such.
     */
    void took(int bytes, long nanos) {
        if (nanos > LONG_NANOS && bytes > LONG_BYTES) {
            restUntil = hub.clock() + nanos * 2 * Math.max(1, hub.speakers());
        }
    }

    /** A round begins: it may say some more, once it has paid for what was too much before. */
    void beginRound() {
        allowance = Math.min(allowance + ROUND_BYTES, ROUND_BYTES);
    }

    /**
     * The next line, read from the peer if need be; empty when there is none for now, or when it
     * is the others' turn: then {@link #hasWork} says so.
     */
    Optional<byte[]> take() {
        for (; ; ) {
            boolean isOthersTurn =
                    allowance <= 0 || isResting() || !large.take(this, lines.nextLength());
            if (end != End.ALL && isOthersTurn) {
                mayHoldLine = true;
                return Optional.empty();
            }
            Optional<byte[]> line = held();
            if (line.isPresent() || end != End.NO || !in.isReadable()) {
                mayHoldLine = line.isPresent();
                return line;
            }
            read();
        }
    }

    private Optional<byte[]> held() {
        if (end == End.ALL) {
            return Optional.empty();
        }
        try {
            Optional<byte[]> line = lines.take();
            if (line.isPresent()) {
                allowance -= line.get().length;
                heldLines.changed(-line.get().length - 1);
            }
            return line;
        } catch (FrameException e) {
            over(End.ALL, "it sent " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Of lines that were not taken, most often of one whose end has not come. */
    int heldBytes() {
        return end == End.ALL ? 0 : lines.heldBytes();
    }

    private void read(int count) {
        allowance -= count;
        lines.add(Arrays.copyOf(scratch, count));
        heldLines.changed(count);
        Optional<Peer> most = heldLines.tooMuch();
        if (most.isPresent()) {
            most.get().endForMemory();
        }
    }

    private void endForMemory() {
        int held = lines.heldBytes();
        heldLines.remove(this, held);
        over(
                End.ALL,
                "it had sent " + held + " bytes of a line without its end, the most of all, when"
                        + " all such took more than " + heldLines.bytesMax() + " bytes");
    }

    private void read() {
        try {
            int count = linux.readNow(channel.in(), scratch, 0, scratch.length);
            if (count == Linux.WOULD_BLOCK) {
                in.nothingToRead();
            } else if (count == 0) {
                boolean torn = lines.heldBytes() > 0;
                over(End.IN, torn ? "it ended within a line" : "it closed its output");
            } else {
                read(count);
                if (count < scratch.length) {
                    in.readAll();
                }
            }
        } catch (ErrnoException e) {
            over(End.ALL, "it is gone: " + Errno.words(e.errno()));
        }
    }

    /** Puts a frame behind those that wait. */
    void send(byte[] frame) {
        if (end != End.ALL) {
            queue.offer(frame);
            frames++;
        }
    }

    /** How many bytes wait to be taken by the peer. */
    int waitingBytes() {
        return queue.waitingBytes();
    }

    /** How many frames wait. */
    int waitingFrames() {
        return frames;
    }

    /** Writes what the peer takes now. */
    void flush() {
        while (end != End.ALL && !queue.isEmpty() && out.isWritable()) {
            byte[] line = queue.first();
            int at = queue.offset();
            try {
                int count = linux.writeNow(channel.out(), line, at, line.length - at);
                if (count == Linux.WOULD_BLOCK) {
                    out.noRoomToWrite();
                    watches.tellOfRoom(channel.out(), out);
                } else {
                    if (count == line.length - at) {
                        frames--;
                    }
                    queue.wrote(count);
                }
            } catch (ErrnoException e) {
                over(End.ALL, "it takes no more: " + Errno.words(e.errno()));
            }
        }
    }

    private void over(End how, String reason) {
        end = how;
        endReason = reason;
    }

    /** It says no more; what it said is taken first. */
    boolean isSilent() {
        return end != End.NO && !mayHoldLine;
    }

    /** Nobody is there to be answered any more. */
    boolean isGone() {
        return end == End.ALL || out.isHungUp();
    }

    /** How it ended, as half a sentence. */
    String endReason() {
        return endReason.isEmpty() ? "it is gone" : endReason;
    }

    @Override
    public void close() {
        heldLines.remove(this, lines.heldBytes());
        watches.remove(in);
        watches.remove(out);
        channel.close();
    }
}
