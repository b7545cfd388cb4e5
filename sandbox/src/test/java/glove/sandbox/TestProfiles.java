package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Profiles of small commands, for tests of what lies below the command line. */
final class TestProfiles {
    private static final List<UnixPath> PATH =
            List.of(UnixPath.of("/usr/bin"), UnixPath.of("/bin"));

    private TestProfiles() {}

    /** A shell script in its private home. */
    static Profile shell(Linux linux, String script) throws ErrnoException, Refusal {
        return shell(linux, script, List.of());
    }

    static Profile shell(Linux linux, String script, List<GrantRequest> requests)
            throws ErrnoException, Refusal {
        Host host = Host.read(linux);
        Grants grants = Grants.of(linux, requests);
        PrivateDirectories directories = PrivateDirectories.beside(grants);
        Program program = new ProgramLookup(linux, host, grants)
                .find(UnixPath.of("sh"), directories.home(), PATH, PATH);
        return new Profile(
                host,
                grants,
                AgentHome.FRESH,
                directories,
                new Scratch(64L << 20, 1000),
                Ids.ofThisProcess(linux, 0),
                program,
                words("sh", "-c", script),
                words("PATH=/usr/bin:/bin", "HOME=" + directories.home()),
                directories.home(),
                Optional.empty(),
                List.of(),
                Guards.NONE,
                false,
                Nesting.NONE,
                Optional.empty(),
                GuestPrograms.NONE);
    }

    /** The same with listeners on its loopback interface, over both families, and published. */
    static Profile withLoopback(Linux linux, Profile profile) throws ErrnoException {
        List<IpEndpoint> listeners = List.of(
                new IpEndpoint(IpAddress.LOOPBACK_V4, 3128),
                new IpEndpoint(IpAddress.LOOPBACK_V6, 3128));
        return profile.withLoopback(Loopback.of(linux, listeners, true));
    }

    private static List<byte[]> words(String... words) {
        List<byte[]> all = new ArrayList<>();
        for (String word : words) {
            all.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }

    static Launcher launcher(Linux linux) throws ErrnoException {
        return Launcher.open(linux, UnixPath.of(System.getProperty("glove.native") + "/launcher"));
    }
}
