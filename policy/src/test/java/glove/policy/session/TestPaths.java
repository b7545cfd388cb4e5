package glove.policy.session;

import glove.wire.AbsolutePath;

import java.util.List;

/** A machine on which some directories exist, each another object. Stateless. */
final class TestPaths implements HostPaths {
    private static final List<String> EXISTING = List.of(
            "/tmp/glove-vectors-root/ws",
            "/tmp/glove-vectors-root/docs",
            "/var/lib/glove/cloudflare-os/workspace",
            "/srv/work/sage-protocol",
            "/srv/one",
            "/etc",
            "/etc/ssl",
            "/home",
            "/usr",
            "/var",
            "/srv/people",
            "/srv/people/.gnupg",
            "/srv/two");

    @Override
    public HostObject look(AbsolutePath path) throws HostPathException {
        int index = EXISTING.indexOf(path.text());
        if (index < 0) {
            throw HostPathException.nothing();
        }
        return new HostObject(1, 100 + index, 0040700);
    }
}
