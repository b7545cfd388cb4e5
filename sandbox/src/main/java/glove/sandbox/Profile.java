package glove.sandbox;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;

/**
 * One contained run, completely decided and validated: what is shown, what is executed, as whom.
 * Immutable. {@link SandboxPlan} turns it into a launch plan.
 *
 * @param argv arguments of the program, the first as the caller typed it
 * @param environment the whole environment, {@code NAME=VALUE}
 * @param workingDirectory canonical, visible inside
 */
public record Profile(
        Host host,
        Grants grants,
        PrivateDirectories directories,
        Scratch scratch,
        Ids ids,
        Program program,
        List<byte[]> argv,
        List<byte[]> environment,
        UnixPath workingDirectory) {
    /** Copies the lists. */
    public Profile {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
    }

    /** The agent's own writable directories. */
    public List<UnixPath> privateDirectories() {
        List<UnixPath> paths = new ArrayList<>();
        paths.add(directories.home());
        paths.add(directories.temporary());
        if (directories.varTmp()) {
            paths.add(PrivateDirectories.VAR_TMP);
        }
        paths.add(PrivateDirectories.SHM);
        return paths;
    }

    /** The same run as other ids. */
    Profile withIds(Ids other) {
        return new Profile(
                host,
                grants,
                directories,
                scratch,
                other,
                program,
                argv,
                environment,
                workingDirectory);
    }
}
