package glove.session.bundle;

import glove.session.bundle.BundleDocument.Entry;
import glove.session.bundle.BundleException.Fault;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All entries of all bundles of a session, by projection and key (sheet 50, 8). Immutable.
 *
 * @param skills become files of the harness, see {@link Placed#directoryName}
 * @param others stay in their bundles, which therefore have to be shown to the session
 */
record BundleEntries(List<Placed> skills, List<Placed> others) {
    private static final int CONTENT_BYTES_MAX = 16 << 20;

    /** NAME_MAX of the kernel. */
    private static final int NAME_BYTES_MAX = 255;

    /**
     * A bundle under its name in the plan. Immutable.
     *
     * @param projectionId its name in the plan
     * @param bundleDigest of the whole bundle
     * @param document what it says
     */
    record Projected(Id128 projectionId, Digest bundleDigest, BundleDocument document) {}

    /** An entry and where it is from. Immutable. */
    record Placed(Id128 projectionId, Digest bundleDigest, Entry entry) {
        /** What a skill's directory is called: a name of its own in the session. */
        String directoryName() {
            return projectionId + "-" + entry.key();
        }
    }

    /** Copies the lists. */
    BundleEntries {
        skills = List.copyOf(skills);
        others = List.copyOf(others);
    }

    /**
     * Takes them together and checks every rule that is about all of them.
     *
     * @throws BundleException when one breaks, with which entry
     */
    static BundleEntries of(List<Projected> bundles) throws BundleException {
        List<Placed> all = new ArrayList<>();
        long bytes = 0;
        for (Projected bundle : bundles) {
            for (Entry entry : bundle.document.entries()) {
                all.add(new Placed(bundle.projectionId, bundle.bundleDigest, entry));
                bytes += entry.contentBytes();
            }
        }
        if (all.size() > BundleDocument.ENTRIES_MAX || bytes > CONTENT_BYTES_MAX) {
            throw new BundleException(
                    Fault.DOCUMENT,
                    "the bundles of the session have " + all.size() + " entries of " + bytes
                            + " bytes together, and may have " + BundleDocument.ENTRIES_MAX
                            + " of " + CONTENT_BYTES_MAX);
        }
        all.sort(Comparator.comparing(Placed::projectionId)
                .thenComparing(placed -> placed.entry.key()));
        List<Placed> skills = new ArrayList<>();
        List<Placed> others = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Placed placed = all.get(i);
            check(placed, i == 0 ? all.subList(0, 0) : all.subList(i - 1, i));
            (placed.entry.kind() == BundleKind.SKILL ? skills : others).add(placed);
        }
        checkDirectories(skills);
        return new BundleEntries(skills, others);
    }

    private static void check(Placed placed, List<Placed> before) throws BundleException {
        for (Placed other : before) {
            if (other.projectionId.equals(placed.projectionId)
                    && other.entry.key().equals(placed.entry.key())) {
                throw refused(placed, "is there twice");
            }
        }
        if (placed.entry.kind() == BundleKind.SKILL
                && placed.directoryName().length() > NAME_BYTES_MAX) {
            throw refused(
                    placed,
                    "would have a directory with a name of more than " + NAME_BYTES_MAX
                            + " bytes: shorten the projection's name or the key");
        }
    }

    /** "a-b" and "c" give the same name as "a" and "b-c": one would cover the other. */
    private static void checkDirectories(List<Placed> skills) throws BundleException {
        Set<String> names = new HashSet<>();
        for (Placed skill : skills) {
            if (!names.add(skill.directoryName())) {
                throw refused(
                        skill,
                        "would have the directory '" + skill.directoryName()
                                + "', which another skill has: rename a projection or a key");
            }
        }
    }

    private static BundleException refused(Placed placed, String why) {
        return new BundleException(
                Fault.DOCUMENT,
                "the entry '" + placed.entry.key() + "' of the projection '" + placed.projectionId
                        + "' " + why);
    }

    /** Over all of them, skills and others apart: launches are bound to it. */
    Digest digest() {
        DigestWriter out = new DigestWriter("glove.codex-runtime-projection.v2");
        write(out, "materialized-skills.v1", skills);
        write(out, "unmaterialized-known-entries.v1", others);
        return out.sha256();
    }

    private static void write(DigestWriter out, String name, List<Placed> entries) {
        out.string(name).count(entries.size());
        for (Placed placed : entries) {
            out.string(placed.projectionId.text())
                    .digest(placed.bundleDigest)
                    .string(placed.entry.key())
                    .string(placed.entry.kind().word())
                    .digest(placed.entry.contentDigest())
                    .u32(placed.entry.contentBytes());
        }
    }
}
