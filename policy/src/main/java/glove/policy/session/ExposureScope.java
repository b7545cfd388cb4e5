package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;

/**
 * What exactly was exposed: plans name it by its digest, so that nobody can put something else in
 * its place (sheet 50, 3). Immutable.
 *
 * @param exposureId its name
 * @param generation from 1, for each time that name was used; u64
 * @param rootId below which root
 * @param sourceIdentity of the file or directory, see {@link SourceIdentity}
 * @param offer how it may be used
 * @param expiresAtMs until when, in milliseconds since 1970; u64
 */
public record ExposureScope(
        Id128 exposureId,
        long generation,
        Id128 rootId,
        Digest sourceIdentity,
        ExposureOffer offer,
        long expiresAtMs) {
    private static final int VERSION = 1;

    /** Over all of it. */
    public Digest digest() {
        DigestWriter out = new DigestWriter("glove.path-exposure-scope")
                .u8(VERSION)
                .string(exposureId.text())
                .u64(generation)
                .string(rootId.text())
                .digest(sourceIdentity);
        offer.writeModes(out);
        out.u64(expiresAtMs);
        offer.writeTemplates(out);
        return out.sha256();
    }
}
