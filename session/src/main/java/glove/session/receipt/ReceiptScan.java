package glove.session.receipt;

import glove.journal.RecordException;
import glove.journal.TornEnd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.Digest;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a stranger finds in a journal, from its first byte to the first thing that is wrong. It is
 * only read: a copy will do, whoever owns it, and no daemon is asked or held up. Immutable.
 *
 * @param keyId the key's name in the journal's header; zeros when there is none
 * @param authenticated whether the key was there to check the codes with; otherwise anybody could
 *     have written it
 * @param end the place behind the last receipt that is well
 * @param bytes of the file
 * @param fault what is wrong; empty when nothing is
 */
public record ReceiptScan(
        Digest keyId, boolean authenticated, Anchor end, long bytes, Optional<Fault> fault) {
    /**
     * The first thing that is wrong. Immutable.
     *
     * @param record which one, from 1; 0 for the header
     * @param offset where it begins
     * @param what as in "does not follow the record before it"
     * @param torn whether it is a beginning of a record at the end of the file, as an interrupted
     *     write leaves it, or one that is under way
     */
    public record Fault(long record, long offset, String what, boolean torn) {
        @Override
        public String toString() {
            String place = record == 0 ? "the header" : "record " + record;
            return place + ", at byte " + offset + ", " + what;
        }
    }

    /** Takes each receipt that is well, in order. */
    public interface Visitor {
        /** One. */
        void receipt(ReceiptEnvelope envelope);
    }

    /**
     * Reads one.
     *
     * @param key if the codes are to be checked
     * @throws ErrnoException when the file cannot be read
     */
    public static ReceiptScan of(
            Linux linux, UnixPath path, Optional<AuditKey> key, Visitor visitor)
            throws ErrnoException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK;
        try (OwnedFd fd = linux.open(path, flags, 0)) {
            return new Reader(linux, fd, key, visitor).read();
        }
    }

    /** Reads one file once. Confined to one thread. */
    private static final class Reader {
        private final Linux linux;
        private final OwnedFd fd;
        private final Optional<AuditKey> key;
        private final Visitor visitor;
        private final long size; // what is appended meanwhile does not count
        private ReceiptChain chain = new ReceiptChain(Digest.ZERO, Optional.empty());
        private long at;

        /** Ends the reading. */
        private static final class FaultException extends Exception {
            private static final long serialVersionUID = 1L;

            private final transient Fault fault;

            FaultException(Fault fault) {
                super(fault.what(), null, false, false);
                this.fault = fault;
            }
        }

        Reader(Linux linux, OwnedFd fd, Optional<AuditKey> key, Visitor visitor)
                throws ErrnoException {
            this.linux = linux;
            this.fd = fd;
            this.key = key;
            this.visitor = visitor;
            this.size = linux.fstat(fd).size();
        }

        ReceiptScan read() throws ErrnoException {
            Optional<Fault> fault = Optional.empty();
            try {
                header();
                while (at < size) {
                    next();
                }
            } catch (FaultException e) {
                fault = Optional.of(e.fault);
            }
            return new ReceiptScan(
                    chain.head().keyId(), key.isPresent(), chain.head(), size, fault);
        }

        private void header() throws ErrnoException, FaultException {
            if (size < ReceiptStore.HEADER_BYTES) {
                throw fault("is not whole: this is no receipt journal", false);
            }
            String header = text(bytes(0, ReceiptStore.HEADER_BYTES));
            String name = header.substring(ReceiptStore.MAGIC.length());
            if (!header.startsWith(ReceiptStore.MAGIC) || !Digest.is(name)) {
                throw fault("is none of a receipt journal that this version knows", false);
            }
            Digest keyId = new Digest(name);
            chain = new ReceiptChain(keyId, key);
            if (key.isPresent() && !key.get().id().equals(keyId)) {
                throw fault(
                        "names the key " + keyId + ", and the one given is "
                                + key.get().id(),
                        false);
            }
            if (size > ReceiptStore.BYTES_MOST) {
                throw fault("is of a file of " + size + " bytes, more than a journal has", false);
            }
            at = ReceiptStore.HEADER_BYTES;
        }

        private static String text(byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        private void next() throws ErrnoException, FaultException {
            long left = size - at;
            if (left < Integer.BYTES) {
                throw fault("has no end: only " + left + " bytes of its length are there", true);
            }
            int length = number(at);
            if (length < 1 || length > ReceiptRecord.BYTES_MAX) {
                throw fault(
                        "has the length " + Integer.toUnsignedString(length)
                                + ", which no record has",
                        false);
            }
            if (left < length + ReceiptStore.FRAME_BYTES) {
                requireTorn();
                throw fault(
                        "has no end: only " + left + " of its "
                                + (length + ReceiptStore.FRAME_BYTES) + " bytes are there",
                        true);
            }
            if (number(at + Integer.BYTES + length) != length) {
                throw fault("has another length at its end than at its beginning", false);
            }
            try {
                ReceiptEnvelope envelope = ReceiptRecord.decode(bytes(at + Integer.BYTES, length));
                chain.follow(envelope);
                visitor.receipt(envelope);
            } catch (RecordException e) {
                throw fault(e.getMessage(), false);
            }
            at += length + ReceiptStore.FRAME_BYTES;
        }

        /** A record whose length was changed is no beginning of one. */
        private void requireTorn() throws ErrnoException, FaultException {
            byte[] tail = bytes(at, (int) (size - at));
            Optional<String> complaint = TornEnd.complaint(tail, ReceiptRecord.BYTES_MAX);
            if (complaint.isPresent()) {
                throw fault(complaint.get(), false);
            }
        }

        private FaultException fault(String what, boolean torn) {
            long record = at == 0 ? 0 : chain.head().sequence() + 1;
            return new FaultException(new Fault(record, at, what, torn));
        }

        private int number(long offset) throws ErrnoException, FaultException {
            byte[] four = bytes(offset, Integer.BYTES);
            int number = 0;
            for (byte one : four) {
                number = number << 8 | (one & 0xff);
            }
            return number;
        }

        private byte[] bytes(long offset, int count) throws ErrnoException, FaultException {
            byte[] bytes = new byte[count];
            int done = 0;
            while (done < count) {
                byte[] some = linux.pread(fd, count - done, offset + done);
                if (some.length == 0) {
                    throw fault("was cut off while it was read", false);
                }
                System.arraycopy(some, 0, bytes, done, some.length);
                done += some.length;
            }
            return bytes;
        }
    }
}
