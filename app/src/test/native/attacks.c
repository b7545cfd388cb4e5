/*
 * What a hostile agent would try. One function an attack: it returns 0 when the attack works and the
 * errno when it does not. Run as `attacks NAME...` or `attacks --all`; each attack runs in a process
 * of its own and prints one line, NAME RESULT, where RESULT is OK, a symbolic errno, or SIGn.
 *
 * The places and targets come from the environment: W a writable grant, R a read-only one, H a
 * directory that is not granted, VICTIM a process, PORT a listener on 127.0.0.1, ABSTRACT the name of
 * an abstract socket, SHM and SEM and MSG ids of SysV objects, MQ the name of a message queue.
 * Calls that could change the machine are made with arguments the kernel refuses after it has
 * checked the right to make them; `gets past` means another answer than EPERM.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_alg.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/rtnetlink.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const char *env(const char *name) {
    const char *value = getenv(name);
    return value ? value : "/nonexistent";
}

static char *path(const char *variable, const char *rest) {
    static char buffers[4][4096];
    static int next;
    char *buffer = buffers[next++ % 4];
    snprintf(buffer, sizeof buffers[0], "%s%s", env(variable), rest);
    return buffer;
}

static int result(long r) {
    return r < 0 ? errno : 0;
}

/* A raw call; succeeds unless the kernel says EPERM or ENOSYS: it got past the check. */
static int past(long r) {
    return r < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES) ? errno : 0;
}

static int open_for(const char *file, int flags) {
    int fd = open(file, flags, 0600);
    if (fd < 0) {
        return errno;
    }
    close(fd);
    return 0;
}

static int read_byte(const char *file) {
    char byte;
    int fd = open(file, O_RDONLY);
    if (fd < 0) {
        return errno;
    }
    ssize_t n = read(fd, &byte, 1);
    return n == 1 ? 0 : n == 0 ? ENODATA : errno;
}

/* ---- files ---- */
static int read_ungranted(void) { return read_byte(path("H", "/secret")); }
static int read_by_link(void) { return read_byte(path("W", "/link-to-secret")); }
static int read_by_own_link(void) {
    unlink(path("W", "/own-link"));
    if (symlink(path("H", "/secret"), path("W", "/own-link")) < 0) return errno;
    return read_byte(path("W", "/own-link"));
}
static int read_by_dotdot(void) { return read_byte(path("W", "/../ungranted/secret")); }
static int read_by_cwd_dotdot(void) {
    if (chdir(env("W")) < 0) return errno;
    return read_byte("../ungranted/secret");
}
static int read_by_proc_self_root(void) {
    return read_byte(strcat(strcpy((char[4096]){0}, "/proc/self/root"), path("H", "/secret")));
}
static int read_by_proc_self_cwd(void) {
    if (chdir(env("W")) < 0) return errno;
    return read_byte("/proc/self/cwd/../ungranted/secret");
}
static int read_by_parent_descriptor(void) {
    int fd = open(env("W"), O_PATH | O_DIRECTORY);
    int up = openat(fd, "..", O_PATH | O_DIRECTORY);
    if (up < 0) return errno;
    return result(openat(up, "ungranted/secret", O_RDONLY));
}
static int link_ungranted_in(void) { return result(link(path("H", "/secret"), path("W", "/hard"))); }
static int write_readonly(void) { return open_for(path("R", "/file"), O_WRONLY); }
static int append_readonly(void) { return open_for(path("R", "/file"), O_WRONLY | O_APPEND); }
static int create_in_readonly(void) { return open_for(path("R", "/new"), O_WRONLY | O_CREAT); }
static int mkdir_in_readonly(void) { return result(mkdir(path("R", "/newdir"), 0700)); }
static int unlink_in_readonly(void) { return result(unlink(path("R", "/victim1"))); }
static int rename_in_readonly(void) { return result(rename(path("R", "/victim2"), path("R", "/x2"))); }
static int rename_out_of_readonly(void) { return result(rename(path("R", "/victim3"), path("W", "/x3"))); }
static int link_readonly_out(void) { return result(link(path("R", "/victim4"), path("W", "/x4"))); }
static int chmod_readonly(void) { return result(chmod(path("R", "/file"), 0600)); }
static int truncate_readonly(void) { return result(truncate(path("R", "/file"), 1)); }
static int utimes_readonly(void) { return result(utimensat(AT_FDCWD, path("R", "/file"), NULL, 0)); }
static int setxattr_readonly(void) { return result(setxattr(path("R", "/file"), "user.x", "1", 1, 0)); }
static int symlink_in_readonly(void) { return result(symlink("x", path("R", "/sym"))); }
static int mmap_readonly_shared(void) {
    int fd = open(path("R", "/file"), O_RDWR);
    if (fd < 0) return errno;
    return mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? errno : 0;
}
static int reopen_readonly_by_proc(void) {
    int fd = open(path("R", "/file"), O_RDONLY);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return open_for(name, O_WRONLY);
}
static int write_readonly_inside_writable(void) { return open_for(path("W", "/ro/file"), O_WRONLY); }
static int rename_readonly_inside_writable(void) { return result(rename(path("W", "/ro"), path("W", "/ro-moved"))); }
static int replace_readonly_inside_writable(void) {
    mkdir(path("W", "/other"), 0700);
    return result(syscall(SYS_renameat2, AT_FDCWD, path("W", "/other"), AT_FDCWD, path("W", "/ro"), 2));
}
static int move_parent_of_readonly(void) {
    return result(rename(path("W", "/deep/er"), path("W", "/deep/moved")));
}
static int read_shadow(void) { return read_byte("/etc/shadow"); }
static int read_root_home(void) { return open_for("/root", O_RDONLY | O_DIRECTORY); }
static int read_sys(void) { return open_for("/sys", O_RDONLY | O_DIRECTORY); }
static int read_run(void) { return open_for("/run", O_RDONLY | O_DIRECTORY); }
static int open_dev_kmsg(void) { return open_for("/dev/kmsg", O_RDONLY); }
static int open_dev_fuse(void) { return open_for("/dev/fuse", O_RDWR); }
static int open_dev_net_tun(void) { return open_for("/dev/net/tun", O_RDWR); }
static int open_dev_console(void) { return open_for("/dev/console", O_WRONLY | O_NOCTTY); }
static int descriptors_leak(void) {
    int leaked = 0;
    for (int fd = 3; fd < 1024; fd++) leaked |= fcntl(fd, F_GETFD) >= 0;
    return leaked ? 0 : EBADF;
}
static int name_to_handle(void) {
    struct file_handle *handle = calloc(1, sizeof *handle + 128);
    int mount;
    handle->handle_bytes = 128;
    return result(name_to_handle_at(AT_FDCWD, env("W"), handle, &mount, 0));
}
static int open_by_handle(void) {
    struct file_handle *handle = calloc(1, sizeof *handle + 8);
    handle->handle_bytes = 8;
    handle->handle_type = 1;
    return past(open_by_handle_at(open(env("W"), O_RDONLY), handle, O_RDONLY));
}
static int chroot_here(void) { return result(chroot(".")); }
static int openat2_out(void) {
    uint64_t how[3] = {O_RDONLY, 0, 0};
    return result(syscall(SYS_openat2, AT_FDCWD, env("W"), how, sizeof how));
}

/* ---- set-id, capabilities, devices ---- */
static char *fresh(const char *name) {
    char *file = path("W", name);
    unlink(file);
    close(open(file, O_CREAT | O_WRONLY, 0755));
    return file;
}
static int chmod_setuid(void) { return result(chmod(fresh("/suid1"), 04755)); }
static int chmod_setgid(void) { return result(chmod(fresh("/suid2"), 02755)); }
static int fchmod_setuid(void) { return result(fchmod(open(fresh("/suid3"), O_RDONLY), 06755)); }
static int fchmodat_setuid(void) { return result(syscall(SYS_fchmodat, AT_FDCWD, fresh("/suid4"), 04755)); }
static int fchmodat2_setuid(void) { return result(syscall(452, AT_FDCWD, fresh("/suid5"), 04755, 0)); }
static int creat_setuid(void) {
    unlink(path("W", "/suid6"));
    return result(syscall(SYS_openat, AT_FDCWD, path("W", "/suid6"), O_CREAT | O_WRONLY, 04755));
}
static int tmpfile_setuid(void) {
    return result(syscall(SYS_openat, AT_FDCWD, env("W"), O_TMPFILE | O_WRONLY, 04755));
}
static int mkdir_setgid(void) { return result(syscall(SYS_mkdirat, AT_FDCWD, path("W", "/sgid-dir"), 02755)); }
static int mkfifo_setuid(void) { return result(syscall(SYS_mknodat, AT_FDCWD, path("W", "/sfifo"), S_IFIFO | 04755, 0)); }
static int file_capability(void) {
    unsigned char cap[20] = {1, 0, 0, 2, 0xff, 0xff, 0xff, 0xff};
    return result(setxattr(fresh("/cap"), "security.capability", cap, sizeof cap, 0));
}
static int mknod_block(void) { return result(mknod(path("W", "/blk"), S_IFBLK | 0600, makedev(8, 0))); }
static int mknod_char(void) { return result(mknod(path("W", "/chr"), S_IFCHR | 0600, makedev(1, 1))); }
static int open_planted_device(void) { return open_for(path("W", "/planted-zero"), O_RDONLY); }
static int run_planted_setuid(void) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execl(path("W", "/planted-setuid"), "x", "--privileged", (char *)NULL);
        _exit(99);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPERM;
}
static int setuid_root(void) { return result(setuid(0)); }
static int setgid_root(void) { return result(setgid(0)); }
static int setgroups_none(void) { return result(syscall(SYS_setgroups, 0, NULL)); }
static int gain_capability(void) {
    struct { uint32_t version; int pid; } header = {0x20080522, 0};
    struct { uint32_t effective, permitted, inheritable; } data[2] = {{1u << 21, 1u << 21, 0}};
    return result(syscall(SYS_capset, &header, data));
}
static int loosen_securebits(void) { return result(prctl(PR_SET_SECUREBITS, 0)); }

/* ---- mounts and namespaces ---- */
static int mount_tmpfs(void) { return result(mount("none", env("W"), "tmpfs", 0, NULL)); }
static int mount_bind(void) { return result(mount(env("R"), env("W"), NULL, MS_BIND, NULL)); }
static int mount_proc(void) { return result(mount("proc", env("W"), "proc", 0, NULL)); }
static int mount_overlay(void) { return past(mount("o", env("W"), "overlay", 0, "lowerdir=/usr:/etc")); }
static int unmount_masks(void) { return past(umount2("/proc/sys", MNT_DETACH)); }
static int unmount_grant(void) { return past(umount2(env("W"), MNT_DETACH)); }
static int pivot(void) { return past(syscall(SYS_pivot_root, ".", ".")); }
static int new_open_tree(void) { return result(syscall(428, AT_FDCWD, env("W"), 1)); }
static int new_move_mount(void) { return past(syscall(429, AT_FDCWD, env("W"), AT_FDCWD, env("R"), 0)); }
static int new_fsopen(void) { return result(syscall(430, "tmpfs", 0)); }
static int new_fsconfig(void) { return past(syscall(431, -1, 6, NULL, NULL, 0)); }
static int new_fsmount(void) { return past(syscall(432, -1, 0, 0)); }
static int new_fspick(void) { return result(syscall(433, AT_FDCWD, "/", 0)); }
static int new_mount_setattr(void) {
    uint64_t attr[4] = {0, 1, 0, 0}; /* clear MOUNT_ATTR_RDONLY */
    return result(syscall(442, AT_FDCWD, env("R"), 0, attr, sizeof attr));
}
static int new_listmount(void) {
    uint64_t request[4] = {24, -1ul, 0, 0}, ids[8];
    return result(syscall(458, request, ids, 8, 0));
}
static int new_statmount(void) {
    uint64_t request[4] = {24, 1, 1, 0};
    char buffer[512];
    return past(syscall(457, request, buffer, sizeof buffer, 0));
}
static int unshare_user(void) { return result(unshare(CLONE_NEWUSER)); }
static int unshare_mount(void) { return result(unshare(CLONE_NEWNS)); }
static int unshare_net(void) { return result(unshare(CLONE_NEWNET)); }
static int unshare_pid(void) { return result(unshare(CLONE_NEWPID)); }
static int unshare_ipc(void) { return result(unshare(CLONE_NEWIPC)); }
static int unshare_uts(void) { return result(unshare(CLONE_NEWUTS)); }
static int unshare_cgroup(void) { return result(unshare(CLONE_NEWCGROUP)); }
static int unshare_time(void) { return result(unshare(0x80)); }
static int clone_flags(unsigned long flags) {
    long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid < 0) return errno;
    waitpid((pid_t)pid, NULL, 0);
    return 0;
}
static int clone_user(void) { return clone_flags(CLONE_NEWUSER); }
static int clone_user_high_bits(void) { return clone_flags(CLONE_NEWUSER | 1ul << 40); }
static int clone_all(void) { return clone_flags(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET); }
static int clone3_user(void) {
    uint64_t args[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, args, sizeof args);
    if (pid == 0) _exit(0);
    return result(pid);
}
static int setns_self(void) { return past(setns(open("/proc/self/ns/uts", O_RDONLY), 0)); }

/* ---- processes ---- */
static pid_t victim(void) { return atoi(env("VICTIM")); }
static int kill_victim(void) { return result(kill(victim(), 0)); }
static int pidfd_open_victim(void) { return result(syscall(434, victim(), 0)); }
static int read_victim_proc(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/environ", victim());
    return read_byte(name);
}
static int read_victim_cmdline(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/cmdline", victim());
    return read_byte(name);
}
static int ptrace_victim(void) { return result(ptrace(PTRACE_SEIZE, victim(), 0, 0)); }
static int ptrace_me(void) { return result(ptrace(PTRACE_TRACEME, 0, 0, 0)); }
static pid_t forked(void) {
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    return pid;
}
static int ptrace_child(void) { return result(ptrace(PTRACE_SEIZE, forked(), 0, 0)); }
static char memory[16];
static int vm_read_child(void) {
    struct iovec local = {memory, 8}, remote = {memory, 8};
    return result(process_vm_readv(forked(), &local, 1, &remote, 1, 0));
}
static int vm_write_child(void) {
    struct iovec local = {memory, 8}, remote = {memory, 8};
    return result(process_vm_writev(forked(), &local, 1, &remote, 1, 0));
}
static int pidfd_getfd_child(void) { return result(syscall(438, syscall(434, forked(), 0), 1, 0)); }
static int kcmp_child(void) { return result(syscall(SYS_kcmp, getpid(), forked(), 0, 0, 0)); }
static int process_madvise_child(void) {
    struct iovec remote = {memory, 0};
    return past(syscall(440, syscall(434, forked(), 0), &remote, 1, 4, 0));
}
static int process_mrelease_child(void) { return past(syscall(448, syscall(434, forked(), 0), 0)); }
static int prlimit_child(void) {
    struct rlimit limit = {3, 3};
    return result(syscall(SYS_prlimit64, forked(), RLIMIT_NOFILE, &limit, NULL));
}
/* Lowered to 0 a core_pattern that pipes starts its program; EPERM here: it was left at 1. */
static int core_limit(void) {
    struct rlimit limit = {0, 0};
    if (setrlimit(RLIMIT_CORE, &limit) < 0 || syscall(SYS_prlimit64, 0, RLIMIT_CORE, &limit, NULL) < 0 ||
        getrlimit(RLIMIT_CORE, &limit) < 0) {
        return errno;
    }
    return limit.rlim_cur == 0 ? 0 : EPERM;
}
static int signal_init(void) { return result(kill(1, SIGTERM)); }
static int kill_init(void) { return result(kill(1, SIGKILL)); }
static int pidfd_init_signal(void) { return result(syscall(424, syscall(434, 1, 0), SIGKILL, NULL, 0)); }
static int init_mem(void) { return open_for("/proc/1/mem", O_RDWR); }
static int init_root(void) { return open_for("/proc/1/root", O_RDONLY | O_DIRECTORY); }
static int init_cwd(void) { return open_for("/proc/1/cwd", O_RDONLY | O_DIRECTORY); }
static int init_fd(void) { return open_for("/proc/1/fd", O_RDONLY | O_DIRECTORY); }
static int init_environ(void) { return read_byte("/proc/1/environ"); }
static int init_maps(void) { return read_byte("/proc/1/maps"); }
static int init_ns(void) { return open_for("/proc/1/ns/user", O_RDONLY); }
static int init_visible(void) { return open_for("/proc/1", O_RDONLY | O_DIRECTORY); }
static int fork_bomb(void) {
    /* Bounded here too: 5,000 children are more than the limit we set. */
    int error = 0;
    for (int i = 0; i < 5000 && error == 0; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            pause();
            _exit(0);
        }
        if (pid < 0) error = errno;
    }
    return error;
}

/* ---- the kernel ---- */
static int do_bpf(void) {
    union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return result(syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr));
}
static int perf(void) {
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK};
    return result(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}
static int keyring_add(void) { return result(syscall(SYS_add_key, "user", "glove", "x", 1, -2)); }
static int keyring_request(void) { return past(syscall(SYS_request_key, "user", "glove-none", NULL, 0)); }
static int keyring_read(void) { return result(syscall(SYS_keyctl, 0, -5, 1)); }
static int userfault(void) { return result(syscall(SYS_userfaultfd, 1)); }
static int io_uring(void) { char params[120] = {0}; return result(syscall(425, 4, params)); }
static int io_uring_enter_(void) { return past(syscall(426, -1, 0, 0, 0, NULL, 0)); }
static int io_uring_register_(void) { return past(syscall(427, -1, 0, NULL, 0)); }
static int load_module(void) { return past(syscall(SYS_init_module, NULL, 0, "")); }
static int load_module_fd(void) { return past(syscall(SYS_finit_module, -1, "", 0)); }
static int unload_module(void) { return past(syscall(SYS_delete_module, "glove_none", O_NONBLOCK)); }
static int kexec(void) { return past(syscall(SYS_kexec_load, 0, 1000, NULL, ~0ul)); }
static int kexec_file(void) { return past(syscall(320, -1, -1, 0, NULL, ~0ul)); }
static int quota(void) { return past(syscall(SYS_quotactl, 0x800007u << 8, "/glove-none", 0, NULL)); }
static int quota_fd(void) { return past(syscall(443, -1, 0x800008u << 8, 0, NULL)); }
static int accounting(void) { return past(syscall(SYS_acct, "/glove-none")); }
static int swap_on(void) { return past(syscall(SYS_swapon, "/glove-none", 0)); }
static int swap_off(void) { return past(syscall(SYS_swapoff, "/glove-none")); }
static int do_reboot(void) { return past(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static int set_clock(void) { struct timespec t = {0, -1}; return past(syscall(SYS_clock_settime, CLOCK_REALTIME, &t)); }
static int set_time_of_day(void) { return past(syscall(SYS_settimeofday, NULL, NULL)); }
static int adjust_clock(void) { struct timex t = {0}; return past(syscall(SYS_adjtimex, &t)); }
static int adjust_clock_by_id(void) { struct timex t = {0}; return past(syscall(SYS_clock_adjtime, CLOCK_REALTIME, &t)); }
static int set_host_name(void) { return result(sethostname("attack", 6)); }
static int set_domain_name(void) { return result(setdomainname("attack", 6)); }
static int kernel_log(void) { return past(syscall(SYS_syslog, 3, memory, 0)); }
static int fanotify(void) { return result(syscall(SYS_fanotify_init, 0x200, 0)); }
static int no_randomize(void) { return result(syscall(SYS_personality, 0x0040000)); }
static int move_pages_(void) { return past(syscall(SYS_move_pages, 0, 0, NULL, NULL, NULL, 0)); }
static int migrate_pages_(void) { return past(syscall(SYS_migrate_pages, 0, 0, NULL, NULL)); }
static int secret_memory(void) { return result(syscall(447, 0)); }
#ifdef SYS_iopl
static int io_ports(void) { return past(syscall(SYS_iopl, 0)); }
static int io_ports_range(void) { return past(syscall(SYS_ioperm, 0x80, 0, 1)); }
static int ldt(void) { return result(syscall(SYS_modify_ldt, 0, memory, 0)); }
#endif
static int raise_priority(void) { return result(setpriority(PRIO_PROCESS, 0, -10)); }
static int realtime(void) { struct sched_param p = {1}; return result(sched_setscheduler(0, SCHED_FIFO, &p)); }
static int sysctl_core_pattern(void) { return open_for("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int sysctl_hostname(void) { return open_for("/proc/sys/kernel/hostname", O_WRONLY); }
static int sysctl_user_namespaces(void) { return open_for("/proc/sys/user/max_user_namespaces", O_WRONLY); }
static int sysrq(void) { return open_for("/proc/sysrq-trigger", O_WRONLY); }
static int kcore(void) { return open_for("/proc/kcore", O_RDONLY); }
static int kallsyms(void) { return read_byte("/proc/kallsyms"); }
static int proc_keys(void) { return open_for("/proc/keys", O_RDONLY); }
static int proc_interrupts(void) { return read_byte("/proc/interrupts"); }
static int proc_cmdline(void) { return read_byte("/proc/cmdline"); }
static int proc_partitions(void) { return read_byte("/proc/partitions"); }
static int proc_fs(void) { return open_for("/proc/fs/ext4", O_RDONLY | O_DIRECTORY); }
static int proc_irq(void) { return open_for("/proc/irq/default_smp_affinity", O_RDONLY); }

/* ---- sockets and IPC ---- */
static int connect_to(int family, int type, const void *address, socklen_t length) {
    int fd = socket(family, type, 0);
    if (fd < 0) return errno;
    return result(connect(fd, address, length));
}
static int inet_connect(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(env("PORT"))), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return connect_to(AF_INET, SOCK_STREAM, &a, sizeof a);
}
static int inet_udp(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return connect_to(AF_INET, SOCK_DGRAM, &a, sizeof a);
}
static int inet6_socket(void) { return result(socket(AF_INET6, SOCK_STREAM, 0)); }
static int inet_high_bits(void) { return result(syscall(SYS_socket, AF_INET | 1ul << 32, SOCK_STREAM, 0)); }
static int raw_socket(void) { return result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }
static int packet_socket(void) { return result(socket(AF_PACKET, SOCK_RAW, 0)); }
static int netlink_uevent(void) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT)); }
static int netlink_netfilter(void) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER)); }
static int netlink_audit(void) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT)); }
static int netlink_add_link(void) {
    struct { struct nlmsghdr h; struct ifinfomsg i; } request = {
        {sizeof request, RTM_NEWLINK, NLM_F_REQUEST | NLM_F_ACK, 1, 0}, {.ifi_index = 1, .ifi_change = 1, .ifi_flags = 1}};
    struct { struct nlmsghdr h; struct nlmsgerr e; char rest[512]; } answer;
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    if (fd < 0 || send(fd, &request, sizeof request, 0) < 0 || recv(fd, &answer, sizeof answer, 0) < 0) return errno;
    return -answer.e.error;
}
static int vsock(void) { return result(socket(AF_VSOCK, SOCK_STREAM, 0)); }
static int alg(void) { return result(socket(AF_ALG, SOCK_SEQPACKET, 0)); }
static int unix_host_path(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strncpy(a.sun_path, path("H", "/socket"), sizeof a.sun_path - 1);
    return connect_to(AF_UNIX, SOCK_STREAM, &a, sizeof a);
}
static int unix_abstract(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strncpy(a.sun_path + 1, env("ABSTRACT"), sizeof a.sun_path - 2);
    return connect_to(AF_UNIX, SOCK_STREAM, &a, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(env("ABSTRACT"))));
}
static int sysv_shm(void) { return shmat(atoi(env("SHM")), NULL, SHM_RDONLY) == (void *)-1 ? errno : 0; }
static int sysv_sem(void) { return result(semctl(atoi(env("SEM")), 0, GETVAL)); }
static int sysv_msg(void) { struct msqid_ds d; return result(msgctl(atoi(env("MSG")), IPC_STAT, &d)); }
static int posix_mq(void) { return result(mq_open(env("MQ"), O_RDONLY)); }
static int posix_shm(void) { return result(shm_open(env("MQ"), O_RDONLY, 0)); }

/* ---- terminal ---- */
static int terminal_push(void) { char c = '\n'; return result(ioctl(0, TIOCSTI, &c)); }
static int terminal_push_high_bits(void) { char c = '\n'; return result(syscall(SYS_ioctl, 0, TIOCSTI | 1ul << 32, &c)); }
static int terminal_linux(void) { char c = 2; return past(ioctl(0, TIOCLINUX, &c)); }
static int terminal_discipline(void) { int n = 0; return result(ioctl(0, TIOCSETD, &n)); }
static int terminal_console(void) { return past(ioctl(0, TIOCCONS, 0)); }

/* ---- using up ---- */
static int fill(const char *directory) {
    char name[4096];
    snprintf(name, sizeof name, "%s/fill", directory);
    int fd = open(name, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) return errno;
    /* Whole at once: the filesystem says no before memory is used. 9 GiB is above every size. */
    int error = posix_fallocate(fd, 0, 9l << 30);
    unlink(name);
    return error;
}
static int fill_tmp(void) { return fill("/tmp"); }
static int fill_home(void) { return fill(env("HOME")); }
static int fill_var_tmp(void) { return fill("/var/tmp"); }

#define A(name) {#name, name}
#include "guard_attacks.h"
#include "network_attacks.h"
#include "further_attacks.h"

static const struct { const char *name; int (*run)(void); } attacks[] = {
    GUARD_ATTACKS,
    NETWORK_ATTACKS,
    FURTHER_ATTACKS,
    A(read_ungranted), A(read_by_link), A(read_by_own_link), A(read_by_dotdot), A(read_by_cwd_dotdot),
    A(read_by_proc_self_root), A(read_by_proc_self_cwd), A(read_by_parent_descriptor), A(link_ungranted_in),
    A(write_readonly), A(append_readonly), A(create_in_readonly), A(mkdir_in_readonly), A(unlink_in_readonly),
    A(rename_in_readonly), A(rename_out_of_readonly), A(link_readonly_out), A(chmod_readonly), A(truncate_readonly),
    A(utimes_readonly), A(setxattr_readonly), A(symlink_in_readonly), A(mmap_readonly_shared), A(reopen_readonly_by_proc),
    A(write_readonly_inside_writable), A(replace_readonly_inside_writable), A(rename_readonly_inside_writable), A(move_parent_of_readonly),
    A(read_shadow),
    A(read_root_home), A(read_sys), A(read_run), A(open_dev_kmsg), A(open_dev_fuse), A(open_dev_net_tun),
    A(open_dev_console), A(descriptors_leak), A(name_to_handle), A(open_by_handle), A(chroot_here), A(openat2_out),
    A(chmod_setuid), A(chmod_setgid), A(fchmod_setuid), A(fchmodat_setuid), A(fchmodat2_setuid), A(creat_setuid),
    A(tmpfile_setuid), A(mkdir_setgid), A(mkfifo_setuid), A(file_capability), A(mknod_block), A(mknod_char),
    A(open_planted_device), A(run_planted_setuid), A(setuid_root), A(setgid_root), A(setgroups_none),     A(gain_capability), A(loosen_securebits), A(mount_tmpfs), A(mount_bind),     A(mount_proc), A(mount_overlay), A(unmount_masks), A(unmount_grant), A(pivot), A(new_open_tree), A(new_move_mount),
    A(new_fsopen), A(new_fsconfig), A(new_fsmount), A(new_fspick), A(new_mount_setattr), A(new_listmount), A(new_statmount),
    A(unshare_user), A(unshare_mount), A(unshare_net), A(unshare_pid), A(unshare_ipc), A(unshare_uts), A(unshare_cgroup),
    A(unshare_time), A(clone_user), A(clone_user_high_bits), A(clone_all), A(clone3_user), A(setns_self), A(kill_victim),
    A(pidfd_open_victim), A(read_victim_proc), A(read_victim_cmdline), A(ptrace_victim), A(ptrace_me), A(ptrace_child),
    A(vm_read_child), A(vm_write_child), A(pidfd_getfd_child), A(kcmp_child), A(process_madvise_child),
    A(process_mrelease_child), A(prlimit_child), A(core_limit), A(signal_init), A(kill_init), A(pidfd_init_signal), A(init_mem), A(init_root),
    A(init_cwd), A(init_fd), A(init_environ), A(init_maps), A(init_ns), A(init_visible), A(fork_bomb),
    A(do_bpf), A(perf), A(keyring_add), A(keyring_request), A(keyring_read), A(userfault), A(io_uring), A(io_uring_enter_),
    A(io_uring_register_), A(load_module), A(load_module_fd), A(unload_module), A(kexec), A(kexec_file), A(quota), A(quota_fd),
    A(accounting), A(swap_on), A(swap_off), A(do_reboot), A(set_clock), A(set_time_of_day), A(adjust_clock),
    A(adjust_clock_by_id), A(set_host_name), A(set_domain_name), A(kernel_log), A(fanotify), A(no_randomize), A(move_pages_),
    A(migrate_pages_), A(secret_memory),
#ifdef SYS_iopl
    A(io_ports), A(io_ports_range), A(ldt),
#endif
    A(raise_priority), A(realtime), A(sysctl_core_pattern), A(sysctl_hostname),
    A(sysctl_user_namespaces), A(sysrq), A(kcore), A(kallsyms), A(proc_keys),
    A(proc_interrupts), A(proc_cmdline), A(proc_partitions), A(proc_fs), A(proc_irq), A(inet_connect), A(inet_udp),
    A(inet6_socket), A(inet_high_bits), A(raw_socket), A(packet_socket), A(netlink_uevent), A(netlink_netfilter),
    A(netlink_audit), A(netlink_add_link), A(vsock), A(alg), A(unix_host_path), A(unix_abstract), A(sysv_shm), A(sysv_sem),
    A(sysv_msg), A(posix_mq), A(posix_shm), A(terminal_push), A(terminal_push_high_bits), A(terminal_linux),
    A(terminal_discipline), A(terminal_console), A(fill_tmp), A(fill_home),
    A(fill_var_tmp),
};

static void run(const char *name, int (*attack)(void)) {
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        signal(SIGTTOU, SIG_IGN);
        alarm(240);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int error = attack();
        _exit(error > 254 ? 254 : error);
    }
    waitpid(pid, &status, 0);
    kill(-pid, SIGKILL); /* what it started */
    if (WIFSIGNALED(status)) {
        printf("%s SIG%d\n", name, WTERMSIG(status));
    } else if (WEXITSTATUS(status) == 0) {
        printf("%s OK\n", name);
    } else {
        printf("%s %s\n", name, strerrorname_np(WEXITSTATUS(status)));
    }
    fflush(stdout);
}

/*
 * The targets: listens and holds IPC objects until standard input ends, then removes them. Prints the
 * variables that name them, one a line.
 */
static int serve(void) {
    struct sockaddr_in inet = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_un file = {.sun_family = AF_UNIX}, abstract = {.sun_family = AF_UNIX};
    socklen_t length = sizeof inet;
    int tcp = socket(AF_INET, SOCK_STREAM, 0), unix_file = socket(AF_UNIX, SOCK_STREAM, 0);
    int unix_abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    char name[64], queue[64];
    snprintf(name, sizeof name, "glove-attack-%d", getpid());
    snprintf(queue, sizeof queue, "/glove-attack-%d", getpid());
    strncpy(file.sun_path, path("H", "/socket"), sizeof file.sun_path - 1);
    strcpy(abstract.sun_path + 1, name);
    if (bind(tcp, (void *)&inet, sizeof inet) < 0 || listen(tcp, 64) < 0 ||
        getsockname(tcp, (void *)&inet, &length) < 0 ||
        bind(unix_file, (void *)&file, sizeof file) < 0 || listen(unix_file, 64) < 0 ||
        bind(unix_abstract, (void *)&abstract,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))) < 0 ||
        listen(unix_abstract, 64) < 0) {
        perror("sockets");
        return 1;
    }
    int shm = shmget(IPC_PRIVATE, 4096, 0600), sem = semget(IPC_PRIVATE, 1, 0600);
    int msg = msgget(IPC_PRIVATE, 0600);
    mqd_t mq = mq_open(queue, O_CREAT | O_RDWR, 0600, NULL);
    int posix = shm_open(queue, O_CREAT | O_RDWR, 0600);
    printf("VICTIM=%d\nPORT=%d\nABSTRACT=%s\nSHM=%d\nSEM=%d\nMSG=%d\nMQ=%s\n", getpid(),
           ntohs(inet.sin_port), name, shm, sem, msg, queue);
    fflush(stdout);
    fclose(stdout);
    int failed = shm < 0 || sem < 0 || msg < 0 || mq < 0 || posix < 0;
    char byte;
    while (!failed && read(0, &byte, 1) > 0) {}
    shmctl(shm, IPC_RMID, NULL);
    semctl(sem, 0, IPC_RMID);
    msgctl(msg, IPC_RMID, NULL);
    mq_unlink(queue);
    shm_unlink(queue);
    unlink(file.sun_path);
    return failed;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--serve") == 0) {
        return serve();
    }
    if (argc == 2 && strcmp(argv[1], "--privileged") == 0) {
        return geteuid() == getuid();
    }
    int all = argc == 2 && strcmp(argv[1], "--all") == 0;
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        int wanted = all;
        for (int j = 1; j < argc; j++) wanted |= strcmp(argv[j], attacks[i].name) == 0;
        if (wanted) run(attacks[i].name, attacks[i].run);
    }
    return 0;
}
