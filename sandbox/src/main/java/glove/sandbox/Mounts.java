package glove.sandbox;

import glove.sys.Call;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

import java.util.List;

/**
 * Mounting by descriptor (mount_setattr(2), open_tree(2), move_mount(2), fsopen(2)), as steps of
 * one phase. Targets are relative to the new root, given as a descriptor.
 */
final class Mounts {
    /** {@code MOUNT_ATTR_*} (linux/mount.h, since 5.2; IDMAP 5.12). */
    static final long RDONLY = 0x1;

    static final long NOSUID = 0x2;
    static final long NODEV = 0x4;
    static final long NOEXEC = 0x8;
    /** Stands for the value of an option of a filesystem that takes none. */
    static final String FLAG = "";

    private static final long IDMAP = 0x0010_0000;
    private static final long MS_PRIVATE = 1 << 18;
    private static final long MS_SLAVE = 1 << 19;

    /** {@code ST_*} of statfs(2): what a mount's flags read back as; the same bits as above. */
    private static final int STATFS_FLAGS_OFFSET = 80;

    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_RECURSIVE = 0x8000;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 0x4;
    private static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;
    private static final int FSCONFIG_SET_FLAG = 0;
    private static final int FSCONFIG_SET_STRING = 1;
    private static final int FSCONFIG_CMD_CREATE = 6;
    private static final long RESOLVE_NO_MAGICLINKS = 0x2;
    private static final long RESOLVE_NO_SYMLINKS = 0x4;
    private static final long RESOLVE_BENEATH = 0x8;

    private static final int EPERM = 1;

    private static final int STATFS_BYTES = 120;

    private final Steps steps;
    private final Arg beneathHow;
    private final Arg nameHow;

    Mounts(Steps steps) {
        this.steps = steps;
        long path = OpenFlags.O_PATH | OpenFlags.O_CLOEXEC;
        long noLinks = RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
        this.beneathHow = steps.plan().longs(path, 0, noLinks | RESOLVE_BENEATH);
        this.nameHow =
                steps.plan().longs(path | OpenFlags.O_NOFOLLOW, 0, noLinks | RESOLVE_BENEATH);
    }

    private Arg text(String text) {
        return text.isEmpty() ? steps.plan().emptyText() : steps.plan().text(text);
    }

    /** From now on nothing mounted or unmounted elsewhere shows here, or the other way round. */
    void makeAllPrivate() {
        setAttributes(Arg.CWD, text("/"), AT_RECURSIVE, steps.plan().longs(0, 0, MS_PRIVATE, 0));
    }

    /**
     * From now on nothing mounted here shows elsewhere; what is mounted and unmounted elsewhere
     * shows here.
     */
    void makeAllFollow() {
        setAttributes(Arg.CWD, text("/"), AT_RECURSIVE, steps.plan().longs(0, 0, MS_SLAVE, 0));
    }

    /** An open path below the new root, relative to it, whose components are no links. */
    Slot openBeneath(Slot root, UnixPath relative) {
        return openBeneath(root, relative, beneathHow);
    }

    /** The same, where the last name may be a link: then the link itself. */
    Slot openNameBeneath(Slot root, UnixPath relative) {
        return openBeneath(root, relative, nameHow);
    }

    private Slot openBeneath(Slot root, UnixPath relative, Arg how) {
        return steps.get(
                Call.OPENAT2,
                Arg.slot(root),
                steps.plan().text(relative),
                how,
                Arg.imm(how.length()));
    }

    /** A directory that was just made below another, where nobody else could. */
    Slot openDirectory(Slot directory, String name) {
        return steps.get(
                Call.OPENAT,
                Arg.slot(directory),
                text(name),
                Arg.imm(OpenFlags.O_DIRECTORY | OpenFlags.O_CLOEXEC),
                Arg.ZERO);
    }

    /**
     * A detached copy of what is mounted at a host path, with the mounts below it. A last component
     * that has become a link is copied as one.
     */
    Slot cloneTree(UnixPath path) {
        return cloneTree(Arg.CWD, steps.plan().text(path), AT_RECURSIVE | AT_SYMLINK_NOFOLLOW);
    }

    /** The same of an open path. */
    Slot cloneOpened(Slot path) {
        return cloneTree(Arg.slot(path), text(""), AT_EMPTY_PATH | AT_RECURSIVE);
    }

    /** A detached copy of one path, without mounts below it. */
    Slot clonePath(Arg dir, String path) {
        return cloneTree(dir, text(path), path.isEmpty() ? AT_EMPTY_PATH : 0);
    }

    /** A detached copy of a link below a directory, or of whatever else has that name there. */
    Slot cloneName(Slot dir, String name) {
        return cloneTree(Arg.slot(dir), text(name), AT_SYMLINK_NOFOLLOW);
    }

    /** The same of what is mounted at an open directory, with the mounts below it. */
    Slot cloneTree(Slot directory) {
        return cloneTree(Arg.slot(directory), text(""), AT_EMPTY_PATH | AT_RECURSIVE);
    }

    private Slot cloneTree(Arg dir, Arg path, int flags) {
        return steps.get(
                Call.OPEN_TREE, dir, path, Arg.imm(OPEN_TREE_CLONE | OpenFlags.O_CLOEXEC | flags));
    }

    /** Sets {@code MOUNT_ATTR_*} on a detached tree and all mounts in it. */
    void restrict(Slot tree, Arg attributes) {
        setAttributes(Arg.slot(tree), text(""), AT_EMPTY_PATH | AT_RECURSIVE, attributes);
    }

    /**
     * What {@link #restrict} takes: {@code MOUNT_ATTR_*}. A copy of a shared mount is its peer:
     * what is mounted on it would show on the host, and stay (mount_namespaces(7)), so none is.
     */
    Arg attributes(long set) {
        return steps.plan().longs(set, 0, MS_PRIVATE, 0);
    }

    /** The same, and files shown under other owners: the mapping of a user namespace. */
    Arg attributes(long set, Slot userns) {
        Arg attributes = steps.plan().longs(set | IDMAP, 0, MS_PRIVATE, 0);
        steps.store(userns, attributes.part(24, 8));
        return attributes;
    }

    /** The same on one mount alone. */
    void restrictOne(Slot mount, long attributes) {
        setAttributes(
                Arg.slot(mount),
                text(""),
                AT_EMPTY_PATH,
                steps.plan().longs(attributes, 0, MS_PRIVATE, 0));
    }

    private void setAttributes(Arg dir, Arg path, int flags, Arg attr) {
        steps.run(Call.MOUNT_SETATTR, dir, path, Arg.imm(flags), attr, Arg.imm(attr.length()));
    }

    /** Attaches a detached tree at a path below {@code dir}. */
    void attach(Slot tree, Arg dir, String path) {
        move(tree, dir, text(path), 0, 0);
    }

    void attach(Slot tree, Slot dir, UnixPath relative) {
        move(tree, Arg.slot(dir), steps.plan().text(relative), 0, 0);
    }

    /** The same, where there may be nothing to attach it to. */
    void attachIfPresent(Slot tree, Slot dir, UnixPath relative, int absentErrno) {
        move(tree, Arg.slot(dir), steps.plan().text(relative), 0, absentErrno);
    }

    /** Attaches a detached tree exactly onto what a descriptor names. */
    void attachOnto(Slot tree, Slot target) {
        move(tree, Arg.slot(target), text(""), MOVE_MOUNT_T_EMPTY_PATH, 0);
    }

    private void move(Slot tree, Arg dir, Arg path, int flags, int toleratedErrno) {
        steps.runUnless(
                toleratedErrno,
                Call.MOVE_MOUNT,
                Arg.slot(tree),
                text(""),
                dir,
                path,
                Arg.imm(MOVE_MOUNT_F_EMPTY_PATH | flags));
    }

    /**
     * A new detached filesystem.
     *
     * @param options name, value, name, value ...
     */
    Slot filesystem(String type, long attributes, String... options) {
        return filesystem(type, attributes, List.of(options));
    }

    /** The same; the value {@link #FLAG} is none. */
    Slot filesystem(String type, long attributes, List<String> options) {
        Slot context = steps.get(Call.FSOPEN, text(type), Arg.imm(1));
        for (int i = 0; i < options.size(); i += 2) {
            boolean flag = options.get(i + 1).equals(FLAG);
            steps.run(
                    Call.FSCONFIG,
                    Arg.slot(context),
                    Arg.imm(flag ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING),
                    text(options.get(i)),
                    flag ? Arg.ZERO : text(options.get(i + 1)),
                    Arg.ZERO);
        }
        steps.run(
                Call.FSCONFIG,
                Arg.slot(context),
                Arg.imm(FSCONFIG_CMD_CREATE),
                Arg.ZERO,
                Arg.ZERO,
                Arg.ZERO);
        Slot mount = steps.get(Call.FSMOUNT, Arg.slot(context), Arg.imm(1), Arg.imm(attributes));
        steps.close(context);
        return mount;
    }

    /** EPERM unless the mount at this absolute path reads back with these restricting flags. */
    void expectRestrictions(UnixPath path, long attributes) {
        steps.run(Call.STATFS, steps.plan().text(path), Arg.out(0, STATFS_BYTES));
        steps.expect(STATFS_FLAGS_OFFSET, attributes, attributes, EPERM);
    }
}
