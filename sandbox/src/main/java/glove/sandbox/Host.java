package glove.sandbox;

import glove.sys.Arch;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;

/**
 * What this machine offers a sandbox, looked up once per process. Immutable.
 *
 * @param surface the read-only system paths
 * @param maskedProcEntries what of proc is covered
 * @param landlockAbi version of Landlock, 0 when the kernel has none
 * @param keyrings whether a session keyring can be made (keyctl(2))
 */
public record Host(
        Arch arch,
        SystemSurface surface,
        List<ProcEntries.Entry> maskedProcEntries,
        int landlockAbi,
        boolean keyrings) {

    /** The system paths every sandbox shows read-only. */
    public List<UnixPath> systemPaths() {
        List<UnixPath> paths = new ArrayList<>();
        for (SystemSurface.Entry entry : surface.entries()) {
            paths.add(entry.path());
        }
        return paths;
    }

    /** Looks at the machine. */
    public static Host read(Linux linux) throws ErrnoException {
        return new Host(
                Arch.host(),
                SystemSurface.read(linux),
                ProcEntries.masked(linux),
                linux.landlockAbi(),
                linux.hasKeyrings());
    }
}
