package glove.sandbox;

import glove.sys.Call;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

/**
 * The second layer over files, signals and TCP (landlock(7)): what the mounts and the filter
 * already say, said again by another part of the kernel. It can only add rights below a path, so it
 * backs "nothing outside is writable" and not "read-only inside writable".
 */
final class Landlock {
    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_BLOCK = 1 << 11;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long ALL_ABI_1 = (1 << 13) - 1;

    private static final long BIND_TCP = 1;
    private static final long CONNECT_TCP = 1 << 1;
    private static final long SCOPE_ABSTRACT_UNIX_SOCKET = 1;
    private static final long SCOPE_SIGNAL = 1 << 1;

    private static final int RULE_PATH_BENEATH = 1;

    private final Steps steps;
    private final long handled;
    private final Slot ruleset;

    /**
     * Begins a rule set.
     *
     * @param abi version of the running kernel, at least 1
     * @param tcp whether ports may be bound and connected to: rules would have to name each
     */
    Landlock(Steps steps, int abi, boolean tcp) {
        this(steps, abi, tcp, handled(abi));
    }

    private Landlock(Steps steps, int abi, boolean tcp, long handled) {
        this.steps = steps.about("landlock");
        this.handled = handled;
        long network = abi >= 4 && !tcp ? BIND_TCP | CONNECT_TCP : 0;
        long scope = abi >= 6 ? SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL : 0;
        long[] attr = abi >= 6
                ? new long[] {handled, network, scope}
                : abi >= 4 ? new long[] {handled, network} : new long[] {handled};
        Arg structure = steps.plan().longs(attr);
        this.ruleset = steps.get(
                Call.LANDLOCK_CREATE_RULESET, structure, Arg.imm(structure.length()), Arg.ZERO);
    }

    /**
     * Rules over signals, abstract sockets and TCP alone, where the kernel has some: in a domain
     * that has rules over files nobody may mount.
     *
     * @param abi version of the running kernel; 0 for none
     * @param tcp as above
     */
    static void withoutFiles(Steps steps, int abi, boolean tcp) {
        if (abi >= 6 || (abi >= 4 && !tcp)) {
            new Landlock(steps, abi, tcp, 0).enforce();
        }
    }

    private static long handled(int abi) {
        long rights = ALL_ABI_1;
        if (abi >= 2) {
            rights |= REFER; // else every rename or link between directories is EXDEV
        }
        if (abi >= 3) {
            rights |= TRUNCATE;
        }
        if (abi >= 5) {
            rights |= IOCTL_DEV;
        }
        return rights;
    }

    /** Read, list and execute below a directory. */
    void allowReading(UnixPath directory) {
        allow(directory, EXECUTE | READ_FILE | READ_DIR);
    }

    /** Open what exists below for writing too, and speak to devices. */
    void allowDevices(UnixPath directory) {
        allow(directory, READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV);
    }

    /**
     * Open one device, wherever it is mounted: the host's null, inherited as a standard stream, is
     * the same file as the one inside.
     */
    void allowDevice(UnixPath device) {
        allow(device, READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV);
    }

    /** Everything but making device nodes. */
    void allowWriting(UnixPath path, boolean directory) {
        long fileRights = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;
        allow(path, directory ? ~(MAKE_CHAR | MAKE_BLOCK) : fileRights);
    }

    private void allow(UnixPath path, long rights) {
        steps.about("landlock rule", path);
        Slot fd = steps.get(
                Call.OPENAT,
                Arg.CWD,
                steps.plan().text(path),
                Arg.imm(OpenFlags.O_PATH | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
        long allowed = rights & handled;
        // struct landlock_path_beneath_attr is packed: u64 rights, s32 descriptor.
        Arg attr = steps.plan().ints((int) allowed, (int) (allowed >>> 32), 0);
        steps.store(fd, attr.part(8, 4));
        steps.run(
                Call.LANDLOCK_ADD_RULE,
                Arg.slot(ruleset),
                Arg.imm(RULE_PATH_BENEATH),
                attr,
                Arg.ZERO);
        steps.close(fd);
    }

    /** From here on the rules hold for the process and all it starts; needs no_new_privs. */
    void enforce() {
        steps.about("landlock");
        steps.run(Call.LANDLOCK_RESTRICT_SELF, Arg.slot(ruleset), Arg.ZERO);
    }
}
