package glove.app;

import glove.sandbox.KernelTrial;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.List;

/** The probes of {@code glove doctor} for one thing of the kernel each, in order. */
final class KernelProbes {
    private static final String LANDLOCK = KernelTrial.LANDLOCK.code();
    private static final String SCOPES = "landlock_scopes";

    /** From here on signals and abstract sockets can be kept inside. */
    private static final int ABI_SCOPES = 6;

    private final Linux linux;
    private final Launcher launcher;
    private final Remedies remedies;

    /** Everything else here is tried in one; written and read by one probe after the other. */
    private volatile boolean userNamespace = true;

    /** Borrows the launcher. */
    KernelProbes(Linux linux, Launcher launcher, Remedies remedies) {
        this.linux = linux;
        this.launcher = launcher;
        this.remedies = remedies;
    }

    List<Probe> all() {
        List<Probe> probes = new ArrayList<>();
        for (KernelTrial trial : KernelTrial.values()) {
            probes.add(new Probe(trial.code(), deadline -> examine(trial, deadline)));
        }
        probes.add(new Probe(SCOPES, deadline -> scopes()));
        return probes;
    }

    private Check examine(KernelTrial trial, long deadline) throws LaunchException {
        if (!userNamespace) {
            return Check.untried(trial.code(), "that takes a user namespace", List.of());
        }
        String obstacle = trial.obstacle(linux, launcher, deadline);
        userNamespace = trial != KernelTrial.USER_NAMESPACE || obstacle.isEmpty();
        if (obstacle.isEmpty()) {
            return Check.ok(trial.code(), works(trial));
        }
        if (trial == KernelTrial.LANDLOCK) {
            return Check.missing(
                    LANDLOCK,
                    obstacle + ": the second layer over files is gone, the first holds",
                    remedies.ofLandlock());
        }
        return Check.failed(trial.code(), obstacle, remedies.ofLaunch());
    }

    private String works(KernelTrial trial) {
        return switch (trial) {
            case MOUNTS -> "a filesystem was made, restricted and attached in a namespace";
            case PROC -> "a proc of a new pid namespace was made";
            case SECCOMP -> "the agent's filter refused a call it denies";
            case LANDLOCK ->
                "a domain of version " + linux.landlockAbi() + " refused what it does not allow";
            default -> "was made";
        };
    }

    private Check scopes() {
        int abi = linux.landlockAbi();
        if (abi >= ABI_SCOPES) {
            return Check.ok(SCOPES, "signals and abstract sockets are kept inside twice");
        }
        return Check.missing(
                SCOPES,
                "Landlock has version " + abi + ", not " + ABI_SCOPES + " (Linux 6.12): signals and"
                        + " abstract sockets are kept inside by namespaces alone",
                abi == 0 ? remedies.ofLandlock() : List.of("Linux 6.12 or newer"));
    }
}
