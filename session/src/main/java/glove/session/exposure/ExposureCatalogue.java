package glove.session.exposure;

import static glove.session.exposure.ExposureRefusedException.unless;

import glove.journal.AppendSnapshot;
import glove.journal.DurableFileException;
import glove.policy.session.ExposurePolicy;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.session.exposure.PinnedRoots.Found;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/** All exposures there ever were, by name and generation, as they stand. Stateless. */
public final class ExposureCatalogue {
    /**
     * What stands must fit one response, or nobody could see it: a frame of 1 MiB, of which so much
     * is left beside the request's id.
     */
    public static final int BYTES_MAX = (1 << 20) - 512;

    private ExposureCatalogue() {}

    /** What a list of them takes, with the commas. */
    public static long bytes(Iterable<ExposureView> catalogue) {
        long bytes = 0;
        for (ExposureView view : catalogue) {
            JsonWriter out = JsonWriter.canonical();
            view.write(out);
            bytes += out.toBytes().length + 1;
        }
        return bytes;
    }

    /**
     * Of a journal, for its owner to look at while a daemon has it, or none does: nothing is
     * locked, changed or repaired. Every record is checked as the daemon checks it.
     *
     * @param nowMs milliseconds since 1970
     * @throws RootException when a directory of the policy cannot be used
     * @throws DurableFileException when the journal cannot be read, is not the caller's alone, or
     *     holds anything that does not follow
     * @throws ExposureRefusedException when it cannot be found out now how they stand
     */
    public static List<ExposureView> read(
            Linux linux, ExposurePolicy policy, UnixPath journal, long nowMs)
            throws RootException, DurableFileException, ExposureRefusedException {
        try (PinnedRoots roots = PinnedRoots.open(linux, policy)) {
            ExposureBook book = new ExposureBook(policy);
            AppendSnapshot.read(
                    linux,
                    journal,
                    ExposureRegistry.layout(ExposureRegistry.BYTES_MAX_DEFAULT),
                    new ExposureRegistry.Reading(book));
            return of(book, roots, nowMs);
        }
    }

    static List<ExposureView> of(ExposureBook book, PinnedRoots roots, long nowMs)
            throws ExposureRefusedException {
        List<ExposureView> views = new ArrayList<>();
        for (HeldExposure held : book.all()) {
            ExposureState state = book.stateAt(held, nowMs);
            if (state == ExposureState.ACTIVE && !isThere(roots, held)) {
                state = ExposureState.REVOKED;
            }
            views.add(ExposureView.of(held, state));
        }
        return views;
    }

    private static boolean isThere(PinnedRoots roots, HeldExposure held)
            throws ExposureRefusedException {
        try {
            source(roots, held).close();
            return true;
        } catch (ExposureRefusedException e) {
            if (e.reason() == Reason.UNAVAILABLE) {
                throw e; // which says nothing about what was exposed
            }
            return false; // the catalogue shows it as revoked; a grant says why
        }
    }

    /** Opens what was exposed, if it still is that; the caller closes it. */
    static Found source(PinnedRoots roots, HeldExposure held) throws ExposureRefusedException {
        boolean kept = false;
        Found found = roots.find(held.scope().rootId(), held.hostPath().path());
        try {
            unless(
                    found.identity().digest().equals(held.scope().sourceIdentity()),
                    Reason.SOURCE,
                    "what stands there now is not what was exposed as '"
                            + held.scope().exposureId() + "': revoke it, and expose it again");
            kept = true;
            return found;
        } finally {
            if (!kept) {
                found.close();
            }
        }
    }
}
