package glove.session.bundle;

import glove.policy.session.HostPath;
import glove.session.bundle.BundleException.Fault;
import glove.wire.AbsolutePath;
import glove.wire.Digest;

import java.util.ArrayList;
import java.util.List;

/** Where the bundles of a session are shown. Stateless. */
final class BundleTargets {
    private BundleTargets() {}

    /** A bundle and the directory its policy shows it in. Immutable. */
    record Wanted(Digest digest, AbsolutePath destination) {}

    /**
     * The paths, in the same order.
     *
     * @throws BundleException when two would be one: the same bundle at the same destination
     */
    static List<AbsolutePath> of(List<Wanted> bundles) throws BundleException {
        List<AbsolutePath> targets = new ArrayList<>();
        for (Wanted wanted : bundles) {
            String text = wanted.destination + "/" + wanted.digest + LibraryBundle.SUFFIX;
            if (!AbsolutePath.is(text)) {
                throw new BundleException(
                        Fault.DOCUMENT,
                        HostPath.quoted(wanted.destination) + " is too long a path");
            }
            AbsolutePath target = new AbsolutePath(text);
            if (targets.contains(target)) {
                throw new BundleException(
                        Fault.DOCUMENT,
                        "the bundle " + wanted.digest + " is wanted twice at "
                                + HostPath.quoted(wanted.destination) + ": name it once");
            }
            targets.add(target);
        }
        return targets;
    }
}
