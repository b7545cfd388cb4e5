package glove.egress;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One end of a TCP connection in a test: keeps what it reads. Confined to the test's thread. */
final class Peer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 300_000;

    private final Linux linux = Linux.host();
    private final OwnedFd fd;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private boolean reading = true;
    private boolean ended;
    private boolean closed;
    private int resetBy;

    Peer(OwnedFd fd) {
        this.fd = fd;
    }

    OwnedFd fd() {
        return fd;
    }

    /** Sends all of it; a test does not fill a socket by this. */
    Peer send(byte[] bytes) throws ErrnoException {
        if (linux.send(fd, bytes, 0, bytes.length) != bytes.length) {
            throw new AssertionError("no room for " + bytes.length + " bytes");
        }
        return this;
    }

    Peer send(String text) throws ErrnoException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends it unless the other side is gone by now. */
    void sendIfThere(String text) throws ErrnoException {
        try {
            send(text);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE && e.errno() != Errno.ECONNRESET) {
                throw e;
            }
        }
    }

    /** Sends what there is room for; how much that was. */
    int offer(byte[] bytes) {
        try {
            return Math.max(0, linux.send(fd, bytes, 0, bytes.length));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads no more, so that what comes fills its socket. */
    void stall() {
        reading = false;
    }

    void goOn() {
        reading = true;
    }

    /** Reads what is there. */
    void pump() {
        byte[] room = new byte[1 << 16];
        try {
            while (reading && !closed && !ended && resetBy == 0) {
                int count = linux.recv(fd, room, 0, room.length, 0);
                if (count < 0) {
                    return;
                }
                ended = count == 0;
                read.write(room, 0, count);
            }
        } catch (ErrnoException e) {
            resetBy = e.errno();
        }
    }

    /** Waits until its connection is made or refused. */
    void awaitConnected() throws ErrnoException {
        await(PollFd.POLLOUT);
    }

    /** Waits for the end of what comes, or so many bytes of it, while the proxy has no turn. */
    void awaitAlone(int bytes) throws ErrnoException {
        for (pump(); count() < bytes && !isOver(); pump()) {
            await(PollFd.POLLIN);
        }
    }

    private void await(int event) throws ErrnoException {
        if (linux.poll(List.of(new PollFd(fd, event)), PATIENCE_MILLIS)[0] == 0) {
            throw new AssertionError("nothing comes");
        }
    }

    String text() {
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    byte[] bytes() {
        return read.toByteArray();
    }

    int count() {
        return read.size();
    }

    void forget() {
        read.reset();
    }

    boolean isEnded() {
        return ended;
    }

    /** The errno that ended it; 0 for none. */
    int resetBy() {
        return resetBy;
    }

    boolean isOver() {
        return ended || resetBy != 0;
    }

    void endWriting() throws ErrnoException {
        linux.endWriting(fd);
    }

    void reset() throws ErrnoException {
        linux.resetOnClose(fd);
        close();
    }

    @Override
    public void close() {
        closed = true;
        fd.close();
    }
}
