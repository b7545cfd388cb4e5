package glove.session.exposure;

import static glove.session.exposure.ExposureRefusedException.unless;

import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureScope;
import glove.policy.session.SourceIdentity;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is asked of the registry, as it decides it. Stateless. */
final class ExposureRequests {
    private static final long MS_PER_SECOND = 1000;

    private ExposureRequests() {}

    /** When so many seconds from now will be over; empty when there is no such time. */
    static Optional<Long> expiry(long nowMs, long ttlSecs) {
        long ttlMs = ttlSecs * MS_PER_SECOND;
        boolean overflows = Math.unsignedMultiplyHigh(ttlSecs, MS_PER_SECOND) != 0
                || U64.sumOverflows(nowMs, ttlMs);
        return overflows ? Optional.empty() : Optional.of(nowMs + ttlMs);
    }

    /** What is exposed and the directory it is in. Immutable. */
    record Place(SourceIdentity source, SourceIdentity parent) {}

    /**
     * Exposing something.
     *
     * @param place what was found; its finder holds it open meanwhile, so that nothing else gets
     *     its number. Empty where it is only asked whether the request was done before
     */
    record Creation(ExposureRequest asked, Optional<Place> place, long nowMs)
            implements ExposureChange.Request {
        @Override
        public Id128 id() {
            return asked.requestId();
        }

        @Override
        public boolean isCreation() {
            return true;
        }

        @Override
        public Digest digest() {
            return asked.digest();
        }

        @Override
        public ExposureRecord record(ExposureBook book) throws ExposureRefusedException {
            Id128 id = asked.exposureId();
            unless(
                    book.all().size() < ExposureBook.EXPOSURES_MAX,
                    Reason.CAPACITY,
                    "there are " + ExposureBook.EXPOSURES_MAX + " exposures, those that are over "
                            + "included: begin another journal");
            Optional<HeldExposure> before = book.latest(id);
            boolean free =
                    before.isEmpty() || book.stateAt(before.get(), nowMs) != ExposureState.ACTIVE;
            unless(
                    free,
                    Reason.STATE,
                    "'" + id + "' is exposed already: revoke generation "
                            + before.map(old -> U64.text(old.scope().generation()))
                                    .orElse("")
                            + " first, or take another name");
            Optional<Long> expires = expiry(nowMs, asked.ttlSecs());
            unless(expires.isPresent(), Reason.INVALID, "ttl_secs is beyond the end of time");
            Place found = place.orElseThrow();
            ExposureScope scope = new ExposureScope(
                    id,
                    before.map(old -> old.scope().generation()).orElse(0L) + 1,
                    asked.rootId(),
                    found.source().digest(),
                    asked.offer(),
                    expires.orElseThrow());
            ExposureRecord.Described what = new ExposureRecord.Described(
                    new ExposureKey(id, scope.generation()),
                    scope.rootId(),
                    scope.sourceIdentity(),
                    scope.digest(),
                    asked.displayLabel(),
                    asked.offer().modes(),
                    scope.expiresAtMs(),
                    asked.offer().templates());
            requireListable(book, scope);
            return new ExposureRecord.Created(
                    book.nextHead(id(), digest()),
                    what,
                    asked.hostPath(),
                    found.parent().digest());
        }

        /** What stands, with this one, must fit a response; what is over may be left out of it. */
        private void requireListable(ExposureBook book, ExposureScope scope)
                throws ExposureRefusedException {
            List<ExposureView> standing = new ArrayList<>();
            for (HeldExposure held : book.all()) {
                if (book.stateAt(held, nowMs) == ExposureState.ACTIVE) {
                    standing.add(ExposureView.of(held, ExposureState.ACTIVE));
                }
            }
            standing.add(new ExposureView(
                    scope.exposureId(),
                    scope.generation(),
                    scope.digest(),
                    asked.displayLabel(),
                    scope.offer(),
                    scope.expiresAtMs(),
                    ExposureState.ACTIVE));
            long bytes = ExposureCatalogue.bytes(standing);
            unless(
                    bytes <= ExposureCatalogue.BYTES_MAX,
                    Reason.CAPACITY,
                    "with it the catalogue of what stands has " + bytes + " bytes, and one "
                            + "response holds " + ExposureCatalogue.BYTES_MAX + ": revoke what "
                            + "is not needed any more, or name fewer runtime templates");
        }
    }

    /** Taking it back. */
    record Revocation(Id128 id, ExposureKey key, long nowMs) implements ExposureChange.Request {
        @Override
        public boolean isCreation() {
            return false;
        }

        @Override
        public Digest digest() {
            return ExposureRequest.revokeDigest(id, key.exposureId(), key.generation());
        }

        @Override
        public ExposureRecord record(ExposureBook book) throws ExposureRefusedException {
            Optional<HeldExposure> found = book.find(key);
            String name =
                    "generation " + U64.text(key.generation()) + " of '" + key.exposureId() + "'";
            unless(found.isPresent(), Reason.STATE, "there is no " + name);
            unless(
                    found.orElseThrow().state() == ExposureState.ACTIVE,
                    Reason.STATE,
                    name + " was taken back before");
            ExposureState end = book.stateAt(found.orElseThrow(), nowMs) == ExposureState.EXPIRED
                    ? ExposureState.EXPIRED
                    : ExposureState.REVOKED;
            return new ExposureRecord.Revoked(book.nextHead(id, digest()), key, end, nowMs);
        }
    }
}
