package glove.session.exposure;

import glove.wire.Id128;
import glove.wire.U64;

/** One generation of a name, in the order of catalogues. Immutable. */
record ExposureKey(Id128 exposureId, long generation) implements Comparable<ExposureKey> {
    /** Behind all generations of a name. */
    static ExposureKey last(Id128 exposureId) {
        return new ExposureKey(exposureId, U64.MAX);
    }

    @Override
    public int compareTo(ExposureKey other) {
        int order = exposureId.compareTo(other.exposureId);
        return order == 0 ? U64.compare(generation, other.generation) : order;
    }
}
