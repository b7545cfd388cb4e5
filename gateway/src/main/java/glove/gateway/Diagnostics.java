package glove.gateway;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;

import java.nio.charset.StandardCharsets;

/**
 * What an upstream writes to its standard error, in lines, for the operator: cut when long, some
 * left out when there are too many, and nothing in them a terminal would obey. It is always read,
 * or the upstream would wait for that. Confined to the gateway's thread.
 */
final class Diagnostics {
    private static final int LINE_BYTES = 1 << 10;
    private static final int LINES_PER_SECOND = 50;
    private static final int READS_PER_TURN = 4;

    private final Hub hub;
    private final String upstream;
    private final Fd from;
    private final Watched watched = new Watched();
    private final Bucket bucket;
    private final byte[] line = new byte[LINE_BYTES];
    private int length;
    private boolean isCut;
    private boolean isOver;
    private long leftOut;

    private Diagnostics(Hub hub, String upstream, Fd from) {
        this.hub = hub;
        this.upstream = upstream;
        this.from = from;
        this.bucket = new Bucket(LINES_PER_SECOND, hub.now());
    }

    /** Begins to read; whoever owns the descriptor calls {@link #close} before closing it. */
    static Diagnostics open(Hub hub, String upstream, Fd from) throws ErrnoException {
        Diagnostics diagnostics = new Diagnostics(hub, upstream, from);
        hub.watches.add(from, diagnostics.watched);
        return diagnostics;
    }

    boolean hasWork() {
        return !isOver && watched.isReadable();
    }

    /** Reads what is there, up to a bound. */
    void work() {
        for (int i = 0; i < READS_PER_TURN && hasWork(); i++) {
            try {
                int count = hub.linux.readNow(from, hub.scratch, 0, hub.scratch.length);
                if (count == Linux.WOULD_BLOCK) {
                    watched.nothingToRead();
                } else if (count == 0) {
                    finish();
                } else {
                    take(hub.scratch, count);
                }
            } catch (ErrnoException e) {
                isOver = true;
            }
        }
    }

    private void take(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                tell();
            } else if (length < LINE_BYTES) {
                line[length++] = bytes[i];
            } else {
                isCut = true;
            }
        }
    }

    private void tell() {
        if (length > 0 && bucket.take(hub.now())) {
            if (leftOut > 0) {
                hub.owner.diagnostics(upstream, "(" + leftOut + " lines left out)");
                leftOut = 0;
            }
            hub.owner.diagnostics(upstream, printable() + (isCut ? "..." : ""));
        } else if (length > 0) {
            leftOut++;
        }
        length = 0;
        isCut = false;
    }

    private String printable() {
        StringBuilder text = new StringBuilder();
        String said = new String(line, 0, length, StandardCharsets.UTF_8);
        for (int i = 0; i < said.length(); i++) {
            char c = said.charAt(i);
            boolean obeyed = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            text.append(c == '\t' || c == '\r' ? ' ' : obeyed ? '?' : c);
        }
        return text.toString().strip();
    }

    private void finish() {
        tell();
        isOver = true;
    }

    /** What was said is told to its last line. */
    void close() {
        work();
        tell();
        if (leftOut > 0) {
            hub.owner.diagnostics(upstream, "(" + leftOut + " lines left out)");
        }
        hub.watches.remove(watched);
    }
}
