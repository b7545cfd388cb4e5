package glove.sandbox;

/**
 * The calls the filters speak of, by number: x86-64, aarch64 ({@code -1} where there is none). A
 * test compares every row with the C headers, by the name behind it.
 */
final class SeccompCalls {
    /** Linux 6.15's last. A call of a newer kernel is answered like a call of none: ENOSYS. */
    static final int NEWEST_KNOWN = 467;

    /** EPERM: mounts and namespaces, other processes, kernel surface no build or agent needs. */
    static final short[] DENIED = {
        308, 268, // setns
        165, 40, // mount
        166, 39, // umount2
        155, 41, // pivot_root
        161, 51, // chroot
        321, 280, // bpf
        246, 104, // kexec_load
        320, 294, // kexec_file_load
        175, 105, // init_module
        313, 273, // finit_module
        176, 106, // delete_module
        101, 117, // ptrace
        310, 270, // process_vm_readv
        311, 271, // process_vm_writev
        250, 219, // keyctl
        248, 217, // add_key
        249, 218, // request_key
        169, 142, // reboot
        167, 224, // swapon
        168, 225, // swapoff
        428, 428, // open_tree
        429, 429, // move_mount
        430, 430, // fsopen
        431, 431, // fsconfig
        432, 432, // fsmount
        433, 433, // fspick
        442, 442, // mount_setattr
        438, 438, // pidfd_getfd
        312, 272, // kcmp
        440, 440, // process_madvise
        448, 448, // process_mrelease
        323, 282, // userfaultfd
        298, 241, // perf_event_open
        300, 262, // fanotify_init
        301, 263, // fanotify_mark
        304, 265, // open_by_handle_at
        303, 264, // name_to_handle_at
        179, 60, // quotactl
        443, 443, // quotactl_fd
        103, 116, // syslog
        163, 89, // acct
        170, 161, // sethostname
        171, 162, // setdomainname
        227, 112, // clock_settime
        164, 170, // settimeofday
        159, 171, // adjtimex
        305, 266, // clock_adjtime
        172, -1, // iopl
        173, -1, // ioperm
        154, -1, // modify_ldt
        153, 58, // vhangup
        212, 18, // lookup_dcookie
        279, 239, // move_pages
        256, 238, // migrate_pages
        180, 42, // nfsservctl
        447, 447, // memfd_secret
        134, -1, // uselib
        136, -1, // ustat
        139, -1, // sysfs
        156, -1, // _sysctl
        457, 457, // statmount
        458, 458, // listmount
        467, 467, // open_tree_attr
    };

    /**
     * ENOSYS, so that callers fall back to calls whose arguments a filter can see: clone3 and
     * openat2 keep theirs behind a pointer, io_uring makes calls no filter sees.
     */
    static final short[] ABSENT = {
        435, 435, // clone3
        437, 437, // openat2
        425, 425, // io_uring_setup
        426, 426, // io_uring_enter
        427, 427, // io_uring_register
    };

    /** All that process 1 needs once it has given up its powers. */
    static final short[] INIT = {
        0, 63, // read
        1, 64, // write
        3, 57, // close
        7, -1, // poll
        271, 73, // ppoll
        61, 260, // wait4
        62, 129, // kill
        60, 93, // exit
        231, 94, // exit_group
        15, 139, // rt_sigreturn
        219, 128, // restart_syscall
    };

    private SeccompCalls() {}
}
