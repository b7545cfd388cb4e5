package glove.session.exposure;

import glove.journal.AppendLog;
import glove.journal.Change;
import glove.journal.RecordException;
import glove.session.Deadline;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.wire.Digest;
import glove.wire.Id128;

import java.util.Optional;

/** One request that may become a record, decided when the committer comes to it. */
final class ExposureChange implements Change<ExposureReply> {
    private final ExposureMemory memory;
    private final Request request;
    private final Deadline deadline;
    private Optional<Made> made = Optional.empty();
    private ExposureReply reply =
            new ExposureReply.Refused(Reason.STORAGE, "the request was not decided");

    /** What it made of which. */
    private record Made(ExposureBook before, ExposureBook after) {}

    /** What is asked for. */
    interface Request {
        /** Its key. */
        Id128 id();

        /** Whether to expose something; otherwise to take it back. */
        boolean isCreation();

        /** Over what is asked for. */
        Digest digest();

        /** The record of it, without its hash. */
        ExposureRecord record(ExposureBook book) throws ExposureRefusedException;
    }

    ExposureChange(ExposureMemory memory, Request request) {
        this(memory, request, Deadline.NONE);
    }

    /**
     * One that has a time.
     *
     * @param deadline when it is over, nothing is written
     */
    ExposureChange(ExposureMemory memory, Request request, Deadline deadline) {
        this.memory = memory;
        this.request = request;
        this.deadline = deadline;
    }

    /** The answer to a request that was done before; empty when its key is new. */
    static Optional<ExposureReply> repeated(Request request, ExposureBook book) {
        Optional<ExposureBook.Use> use = book.use(request.id());
        if (use.isEmpty()) {
            return Optional.empty();
        }
        boolean same = use.get().creation() == request.isCreation()
                && use.get().digest().equals(request.digest());
        if (!same) {
            return Optional.of(new ExposureReply.Refused(
                    Reason.CONFLICT,
                    "the key '" + request.id() + "' was used for another request, about '"
                            + use.get().key().exposureId() + "': take a new one"));
        }
        return Optional.of(done(book, use.get().key(), true));
    }

    private static ExposureReply done(ExposureBook book, ExposureKey key, boolean repeated) {
        HeldExposure held = book.find(key).orElseThrow();
        return new ExposureReply.Done(ExposureView.of(held, held.state()), repeated);
    }

    @Override
    public Optional<byte[]> make(long sequence) {
        ExposureBook before = memory.made();
        Optional<ExposureReply> repeated = repeated(request, before);
        if (repeated.isPresent()) {
            reply = repeated.get();
            return Optional.empty();
        }
        try {
            ExposureRecord record = request.record(before).hashed();
            byte[] payload = ExposureRecordJson.encode(record);
            ExposureBook after = before.with(record, payload.length);
            if (!isOwed(record, before)) {
                requireRoom(after.room());
            }
            ExposureRefusedException.unless(
                    !deadline.isOver(),
                    Reason.LATE,
                    "its time was over before it could be written");
            made = Optional.of(new Made(before, after));
            memory.make(after);
            reply = done(after, after.use(request.id()).orElseThrow().key(), false);
            return Optional.of(payload);
        } catch (ExposureRefusedException e) {
            reply = new ExposureReply.Refused(e.reason(), e.getMessage());
            return Optional.empty();
        } catch (RecordException e) {
            reply = new ExposureReply.Refused(
                    Reason.STATE, "the record could not be read back: it " + e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean isOwed(ExposureRecord record, ExposureBook before) {
        return switch (record) {
            case ExposureRecord.Created created -> false;
            case ExposureRecord.Revoked revoked -> before.isOwed(revoked.key());
        };
    }

    /** What stands can be taken back, whatever else is asked for: so room is kept for that. */
    private static void requireRoom(AppendLog.Room room) throws ExposureRefusedException {
        ExposureRefusedException.unless(
                room.bytes() <= room.bytesMax() && room.records() <= room.recordsMax(),
                Reason.CAPACITY,
                "the exposure journal is full: with one more record, and what taking back all "
                        + "that stands needs, it would have " + room.bytes() + " bytes and "
                        + room.records() + " records, and may have " + room.bytesMax() + " and "
                        + room.recordsMax() + ": begin another journal");
    }

    @Override
    public ExposureReply done() {
        if (made.isPresent()) {
            memory.publish(made.get().after);
        }
        return reply;
    }

    @Override
    public void undone() {
        if (made.isPresent()) {
            memory.make(made.get().before);
        }
    }
}
