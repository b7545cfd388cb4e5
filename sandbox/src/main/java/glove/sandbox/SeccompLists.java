package glove.sandbox;

/** The calls that {@link SeccompProgram} treats alike, as constants of {@link SeccompCalls}. */
final class SeccompLists {
    /** EPERM, whatever the arguments. */
    static final int[] DENIED = {
        SeccompCalls.SETNS,
        SeccompCalls.PTRACE,
        SeccompCalls.PROCESS_VM_READV,
        SeccompCalls.PROCESS_VM_WRITEV,
        SeccompCalls.PIDFD_GETFD,
        SeccompCalls.KCMP,
        SeccompCalls.PROCESS_MADVISE,
        SeccompCalls.PROCESS_MRELEASE,
        SeccompCalls.MOVE_PAGES,
        SeccompCalls.MIGRATE_PAGES,
        SeccompCalls.KEYCTL,
        SeccompCalls.ADD_KEY,
        SeccompCalls.REQUEST_KEY,
        SeccompCalls.BPF,
        SeccompCalls.PERF_EVENT_OPEN,
        SeccompCalls.USERFAULTFD,
        SeccompCalls.MEMFD_SECRET,
        SeccompCalls.FANOTIFY_INIT,
        SeccompCalls.FANOTIFY_MARK,
        SeccompCalls.NAME_TO_HANDLE_AT,
        SeccompCalls.OPEN_BY_HANDLE_AT,
        SeccompCalls.QUOTACTL,
        SeccompCalls.QUOTACTL_FD,
        SeccompCalls.LOOKUP_DCOOKIE,
        SeccompCalls.KEXEC_LOAD,
        SeccompCalls.KEXEC_FILE_LOAD,
        SeccompCalls.INIT_MODULE,
        SeccompCalls.FINIT_MODULE,
        SeccompCalls.DELETE_MODULE,
        SeccompCalls.REBOOT,
        SeccompCalls.SWAPON,
        SeccompCalls.SWAPOFF,
        SeccompCalls.SYSLOG,
        SeccompCalls.ACCT,
        SeccompCalls.VHANGUP,
        SeccompCalls.SETTIMEOFDAY,
        SeccompCalls.CLOCK_SETTIME,
        SeccompCalls.ADJTIMEX,
        SeccompCalls.CLOCK_ADJTIME,
        SeccompCalls.NFSSERVCTL,
        SeccompCalls.IOPL,
        SeccompCalls.IOPERM,
        SeccompCalls.MODIFY_LDT,
        SeccompCalls.USELIB,
        SeccompCalls.USTAT,
        SeccompCalls.SYSFS,
        SeccompCalls._SYSCTL,
    };

    /**
     * EPERM but where mount namespaces may be made: what the root of one needs to build another
     * sandbox in it, or of a UTS namespace to name it; each asks for a capability there.
     */
    static final int[] OF_NAMESPACE_ROOTS = {
        SeccompCalls.MOUNT,
        SeccompCalls.UMOUNT2,
        SeccompCalls.PIVOT_ROOT,
        SeccompCalls.OPEN_TREE,
        SeccompCalls.MOVE_MOUNT,
        SeccompCalls.FSOPEN,
        SeccompCalls.FSCONFIG,
        SeccompCalls.FSMOUNT,
        SeccompCalls.FSPICK,
        SeccompCalls.MOUNT_SETATTR,
        SeccompCalls.STATMOUNT,
        SeccompCalls.LISTMOUNT,
        SeccompCalls.OPEN_TREE_ATTR,
        SeccompCalls.SETHOSTNAME,
        SeccompCalls.SETDOMAINNAME,
    };

    /**
     * ENOSYS, so that callers fall back to calls whose arguments a filter can see: clone3 and
     * openat2 keep theirs behind a pointer, io_uring makes calls no filter sees.
     */
    static final int[] ABSENT = {
        SeccompCalls.CLONE3,
        SeccompCalls.OPENAT2,
        SeccompCalls.IO_URING_SETUP,
        SeccompCalls.IO_URING_ENTER,
        SeccompCalls.IO_URING_REGISTER,
    };

    /**
     * EOPNOTSUPP, when nesting: a file system without extended attributes, which all callers know.
     * The root of a user namespace may give files of its creator capabilities, and by an idmapped
     * mount of files of root those would count on the host (capabilities(7)).
     */
    static final int[] ATTRIBUTES = {
        SeccompCalls.SETXATTR,
        SeccompCalls.LSETXATTR,
        SeccompCalls.FSETXATTR,
        SeccompCalls.SETXATTRAT,
    };

    /** How a process is scheduled, by its number as the first argument. */
    static final int[] SCHEDULING = {
        SeccompCalls.SCHED_SETPARAM,
        SeccompCalls.SCHED_SETSCHEDULER,
        SeccompCalls.SCHED_SETATTR,
        SeccompCalls.SCHED_SETAFFINITY,
    };

    /** Calls that give a file a mode, by the place of the mode among their arguments. */
    static final int[] MODE_SECOND = {
        SeccompCalls.MKDIR, // the kernel leaves the bits out by itself; refused like the others
        SeccompCalls.CHMOD,
        SeccompCalls.FCHMOD,
        SeccompCalls.CREAT,
        SeccompCalls.MKNOD,
    };

    static final int[] MODE_THIRD = {
        SeccompCalls.MKDIRAT, SeccompCalls.FCHMODAT, SeccompCalls.FCHMODAT2, SeccompCalls.MKNODAT,
    };

    /** What a watched agent's calls are reported of before they go on: those that fail most. */
    static final int[] WATCHED = {
        SeccompCalls.EXECVE,
        SeccompCalls.EXECVEAT,
        SeccompCalls.CONNECT,
        SeccompCalls.UNLINK,
        SeccompCalls.UNLINKAT,
        SeccompCalls.RMDIR,
        SeccompCalls.RENAME,
        SeccompCalls.RENAMEAT,
        SeccompCalls.RENAMEAT2,
    };

    private SeccompLists() {}
}
