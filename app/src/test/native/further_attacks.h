/*
 * Further attacks: the same ends by calls, descriptors and races the others do not use; part of
 * attacks.c.
 */
#include <linux/fs.h>
#include <linux/nsfs.h>
#include <pthread.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>

/* ---- what is read-only, by a descriptor or a newer call ---- */
static int fchmod_readonly(void) { return result(fchmod(open(path("R", "/file"), O_RDONLY), 0600)); }
static int futimens_readonly(void) { return result(futimens(open(path("R", "/file"), O_RDONLY), NULL)); }
static int chmod_readonly_by_proc(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", open(path("R", "/file"), O_PATH));
    return result(chmod(name, 0600));
}
static int link_readonly_out_by_descriptor(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", open(path("R", "/file"), O_RDONLY));
    unlink(path("W", "/by-descriptor"));
    return result(linkat(AT_FDCWD, name, AT_FDCWD, path("W", "/by-descriptor"), AT_SYMLINK_FOLLOW));
}
static int link_tmpfile_into_readonly(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", open(env("W"), O_TMPFILE | O_RDWR, 0600));
    return result(linkat(AT_FDCWD, name, AT_FDCWD, path("R", "/from-tmpfile"), AT_SYMLINK_FOLLOW));
}
static int exchange_readonly_out(void) {
    close(open(path("W", "/for-exchange"), O_CREAT | O_WRONLY, 0600));
    return exchange(path("R", "/victim1"), path("W", "/for-exchange"));
}
static int flags_readonly(void) {
    int flags = 0, fd = open(path("R", "/file"), O_RDONLY);
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0) return errno == ENOTTY ? EOPNOTSUPP : errno;
    flags |= FS_NODUMP_FL;
    return result(ioctl(fd, FS_IOC_SETFLAGS, &flags));
}
static int flags_readonly_by_path(void) {
    uint64_t attributes[4] = {0};
    if (syscall(468, AT_FDCWD, path("R", "/file"), attributes, 24, 0) < 0) return errno;
    return result(syscall(469, AT_FDCWD, path("R", "/file"), attributes, 24, 0));
}
static int setxattrat_readonly(void) {
    struct { uint64_t value; uint32_t size, flags; } args = {(uint64_t)(uintptr_t)"1", 1, 0};
    return result(syscall(463, AT_FDCWD, path("R", "/file"), 0, "user.y", &args, sizeof args));
}
static int allocate_readonly(void) {
    int fd = open(path("R", "/file"), O_WRONLY);
    if (fd < 0) return errno;
    return posix_fallocate(fd, 0, 1 << 16);
}
static int guard_flags(void) {
    int flags = 0, fd = open(guarded(1, ".git/config"), O_RDONLY);
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0) return errno == ENOTTY ? EOPNOTSUPP : errno;
    flags |= FS_NODUMP_FL;
    return result(ioctl(fd, FS_IOC_SETFLAGS, &flags));
}
static int guard_fchmod(void) { return result(fchmod(open(guarded(1, ".git/config"), O_RDONLY), 0777)); }
static int guard_create_by_dangling_link(void) {
    unlink(guarded(1, "dangling"));
    if (symlink(".git/hooks/post-checkout", guarded(1, "dangling")) < 0) return errno;
    return open_for(guarded(1, "dangling"), O_WRONLY | O_CREAT);
}
static int file_capability_at(void) {
    unsigned char cap[20] = {1, 0, 0, 2, 0xff, 0xff, 0xff, 0xff};
    struct { uint64_t value; uint32_t size, flags; } args = {(uint64_t)(uintptr_t)cap, sizeof cap, 0};
    return result(syscall(463, AT_FDCWD, fresh("/cap2"), 0, "security.capability", &args, sizeof args));
}
/* The host waits up to 45 s before it opens a file on which somebody holds a lease. */
static int lease(const char *file, int kind) {
    int fd = open(file, O_RDONLY);
    if (fd < 0) return errno;
    signal(SIGIO, SIG_IGN);
    return result(fcntl(fd, F_SETLEASE, kind));
}
static int lease_readonly(void) { return lease(path("R", "/file"), F_RDLCK); }
static int lease_readonly_alone(void) { return lease(path("R", "/victim1"), F_WRLCK); }
static int lease_guarded(void) { return lease(guarded(1, ".git/config"), F_RDLCK); }
static int lease_high_bits(void) {
    int fd = open(path("R", "/file"), O_RDONLY);
    return result(syscall(SYS_fcntl, fd, F_SETLEASE | 1ul << 32, F_RDLCK));
}

/* ---- what is not granted ---- */
static int watch_ungranted(void) { return result(inotify_add_watch(inotify_init(), env("H"), IN_ACCESS)); }
static int stat_ungranted(void) {
    struct statx buffer;
    return result(statx(AT_FDCWD, path("H", "/secret"), AT_NO_AUTOMOUNT, STATX_ALL, &buffer));
}
static int space_of_ungranted(void) { struct statvfs s; return result(statvfs(env("H"), &s)); }
static int execute_ungranted(void) { return result(syscall(SYS_faccessat, AT_FDCWD, env("H"), X_OK)); }
static int enter_ungranted(void) { return result(chdir(env("H"))); }
static int read_by_thread_self(void) {
    return read_byte(strcat(strcpy((char[4096]){0}, "/proc/thread-self/root"), path("H", "/secret")));
}
static int is_secret(const char *file) {
    char byte;
    int fd = open(file, O_RDONLY);
    int is = fd >= 0 && read(fd, &byte, 1) == 1 && byte == 's';
    close(fd);
    return is;
}
static void *swap_links(void *stop) {
    for (int i = 0; i < 20000 && !*(volatile int *)stop; i++) {
        exchange(path("W", "/race"), path("W", "/race2"));
    }
    return NULL;
}
/* One name leads to a file of one's own and to the secret in turns. */
static int read_by_swapped_links(void) {
    int error = ENOENT, stop = 0;
    pthread_t thread;
    unlink(path("W", "/race"));
    unlink(path("W", "/race2"));
    if (symlink(path("W", "/attacks"), path("W", "/race")) < 0 ||
        symlink(path("H", "/secret"), path("W", "/race2")) < 0) return errno;
    pthread_create(&thread, NULL, swap_links, &stop);
    for (int i = 0; i < 5000 && error; i++) {
        if (is_secret(path("W", "/race"))) error = 0;
    }
    stop = 1;
    pthread_join(thread, NULL);
    /* The other may not have run meanwhile, on a busy machine. */
    for (int i = 0; i < 2 && error; i++) {
        exchange(path("W", "/race"), path("W", "/race2"));
        if (is_secret(path("W", "/race"))) error = 0;
    }
    return error;
}
/* A path through a directory that is moved up meanwhile, so that its ".." are too many. */
static void *move_about(void *stop) {
    for (int i = 0; i < 20000 && !*(volatile int *)stop; i++) {
        rename(path("W", "/moved/a/b"), path("W", "/b"));
        rename(path("W", "/b"), path("W", "/moved/a/b"));
    }
    return NULL;
}
static int read_by_moved_directory(void) {
    int error = ENOENT, stop = 0;
    pthread_t thread;
    mkdir(path("W", "/moved"), 0700);
    mkdir(path("W", "/moved/a"), 0700);
    mkdir(path("W", "/moved/a/b"), 0700);
    mkdir(path("W", "/moved/a/b/c"), 0700);
    if (chdir(path("W", "/moved/a/b/c")) < 0) return errno;
    pthread_create(&thread, NULL, move_about, &stop);
    for (int i = 0; i < 5000 && error; i++) {
        if (is_secret(i % 2 ? "../../../ungranted/secret" : "../../../../../ungranted/secret")) error = 0;
    }
    stop = 1;
    pthread_join(thread, NULL);
    return error;
}

/* ---- namespaces, by descriptors ---- */
static int setns_by_pidfd(void) { return past(setns((int)syscall(434, 1, 0), CLONE_NEWUTS)); }
static int owner_of_mounts(void) { return result(ioctl(open("/proc/self/ns/mnt", O_RDONLY), NS_GET_USERNS)); }
static int network_of_socket(void) { return past(ioctl(socket(AF_UNIX, SOCK_STREAM, 0), 0x894C /* SIOCGSKNS */)); }
static int new_open_tree_attr(void) { return past(syscall(467, AT_FDCWD, env("W"), 1, NULL, 0)); }
static int fanotify_mark_(void) { return past(syscall(SYS_fanotify_mark, -1, 1, 1l, AT_FDCWD, env("W"))); }
static int keyring_persistent(void) { return result(syscall(SYS_keyctl, 22, -1, -2)); }
static int keyring_join(void) { return result(syscall(SYS_keyctl, 1, "glove")); }
static int run_planted_setuid_by_descriptor(void) {
    int status, fd = open(path("W", "/planted-setuid"), O_PATH);
    if (fd < 0) return errno;
    pid_t pid = fork();
    if (pid == 0) {
        char *arguments[] = {"", "--privileged", NULL}, *none[] = {NULL};
        syscall(SYS_execveat, fd, "", arguments, none, AT_EMPTY_PATH);
        _exit(99);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPERM;
}

/* ---- processes of the host, by other calls than kill ---- */
static int queue_to_victim(void) {
    siginfo_t info = {.si_code = SI_QUEUE};
    return result(syscall(SYS_rt_sigqueueinfo, victim(), 0, &info));
}
static int tgkill_victim(void) { return result(syscall(SYS_tgkill, victim(), victim(), 0)); }
static int signal_by_descriptor(void) {
    struct { int type, pid; } owner = {F_OWNER_PID, victim()};
    return result(fcntl(socket(AF_UNIX, SOCK_STREAM, 0), 15 /* F_SETOWN_EX */, &owner));
}
static int renice_victim(void) { return result(setpriority(PRIO_PROCESS, victim(), 1)); }
static int session_of_victim(void) { return result(getsid(victim())); }
static int affinity_of_victim(void) { cpu_set_t set; return result(sched_getaffinity(victim(), sizeof set, &set)); }
static int forge_sender(void) {
    int pair[2];
    struct ucred sender = {1, getuid(), getgid()};
    char control[CMSG_SPACE(sizeof sender)] = {0};
    struct iovec byte = {memory, 1};
    struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_CREDENTIALS;
    header->cmsg_len = CMSG_LEN(sizeof sender);
    memcpy(CMSG_DATA(header), &sender, sizeof sender);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0) return errno;
    return result(sendmsg(pair[0], &message, 0));
}

/* ---- process 1, by what is left ---- */
static int init_task_mem(void) { return open_for("/proc/1/task/1/mem", O_RDWR); }
static int init_map_files(void) { return open_for("/proc/1/map_files", O_RDONLY | O_DIRECTORY); }
static int init_uid_map(void) { return open_for("/proc/1/uid_map", O_WRONLY); }
static int init_killed_first(void) { return open_for("/proc/1/oom_score_adj", O_WRONLY); }
static int init_renamed(void) { return open_for("/proc/1/comm", O_WRONLY); }
static int init_robust_list(void) {
    void *head;
    size_t length;
    return result(syscall(SYS_get_robust_list, 1, &head, &length));
}
static int init_nice(void) { return result(setpriority(PRIO_PROCESS, 1, 1)); }
static int init_user_nice(void) {
    /* Of all processes of the user: it says no at the first it may not, and has done the others. */
    errno = 0;
    setpriority(PRIO_USER, 0, 2);
    int error = errno, nice = getpriority(PRIO_PROCESS, 1);
    return nice == 2 ? 0 : error ? error : EPERM;
}
static int init_scheduler(void) { struct sched_param p = {0}; return result(sched_setscheduler(1, SCHED_IDLE, &p)); }
static int init_sched_attr(void) {
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t times[3]; } a =
        {48, 0, 0, 3, 0, {0}};
    return result(syscall(SYS_sched_setattr, 1, &a, 0));
}
static int init_affinity(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return result(sched_setaffinity(1, sizeof set, &set));
}
static int init_io_priority(void) { return result(syscall(SYS_ioprio_set, 1, 1, 3 << 13)); }
static int init_signal_by_descriptor(void) {
    int fd = open("/proc/1", O_RDONLY | O_DIRECTORY);
    return fd < 0 ? errno : past(syscall(424, fd, SIGKILL, NULL, 0));
}

/* ---- the kernel ---- */
static int deadline_scheduling(void) {
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t times[3]; } a =
        {48, 6, 0, 0, 0, {1000000, 10000000, 10000000}};
    return result(syscall(SYS_sched_setattr, 0, &a, 0));
}
static int io_realtime(void) { return result(syscall(SYS_ioprio_set, 1, 0, 1 << 13)); }
static int raise_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NPROC, &limit);
    limit.rlim_cur = limit.rlim_max = 4096;
    if (setrlimit(RLIMIT_NPROC, &limit) < 0) return errno;
    limit.rlim_max = 4097;
    return result(setrlimit(RLIMIT_NPROC, &limit));
}
/* Timers are queued signals that wait; the user's other processes have what is left. */
static int queued_signals(void) {
    timer_t timer;
    struct sigevent none = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    for (int i = 0; i < 6000; i++) {
        if (timer_create(CLOCK_MONOTONIC, &none, &timer) < 0) return errno;
    }
    return 0;
}
static int queued_messages(void) {
    int error = 0;
    char name[32];
    struct mq_attr attributes = {.mq_maxmsg = 10, .mq_msgsize = 8192};
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "/further-%d-%d", getpid(), i);
        mqd_t queue = error ? -1 : mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
        if (queue < 0 && !error) error = errno;
    }
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "/further-%d-%d", getpid(), i);
        mq_unlink(name);
    }
    return error;
}
static int lock_memory(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_MEMLOCK, &none) < 0) return errno;
    return result(mlock(memory, sizeof memory));
}
static int map_null_page(void) {
    void *none = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return none == MAP_FAILED ? errno : 0;
}
static int large_pipe(void) {
    int ends[2];
    return pipe(ends) < 0 ? errno : result(fcntl(ends[0], F_SETPIPE_SZ, 4 << 20));
}
static int forge_command_line(void) {
    return result(prctl(PR_SET_MM, 8 /* PR_SET_MM_ARG_START */, memory, 0, 0));
}
static int killed_last(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    return fd < 0 ? errno : result(write(fd, "-900", 4));
}
static int reopen_by_map_files(void) {
    char name[128];
    void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, open(path("R", "/file"), O_RDONLY), 0);
    if (map == MAP_FAILED) return errno;
    snprintf(name, sizeof name, "/proc/self/map_files/%lx-%lx", (long)map, (long)map + 4096);
    return open_for(name, O_WRONLY);
}
static int watch_pressure(void) { return open_for("/proc/pressure/memory", O_RDWR); }
static int device_userfault(void) { return open_for("/dev/userfaultfd", O_RDWR); }
static int device_mapper(void) { return open_for("/dev/mapper/control", O_RDWR); }

#define FURTHER_ATTACKS \
    A(fchmod_readonly), A(futimens_readonly), A(chmod_readonly_by_proc), A(link_readonly_out_by_descriptor), \
    A(link_tmpfile_into_readonly), A(exchange_readonly_out), A(flags_readonly), A(flags_readonly_by_path), \
    A(setxattrat_readonly), A(allocate_readonly), A(guard_flags), A(guard_fchmod), \
    A(guard_create_by_dangling_link), A(file_capability_at), A(lease_readonly), A(lease_readonly_alone), \
    A(lease_guarded), A(lease_high_bits), A(watch_ungranted), A(stat_ungranted), A(space_of_ungranted), \
    A(execute_ungranted), A(enter_ungranted), A(read_by_thread_self), A(read_by_swapped_links), \
    A(read_by_moved_directory), A(setns_by_pidfd), A(owner_of_mounts), A(network_of_socket), \
    A(new_open_tree_attr), A(fanotify_mark_), A(keyring_persistent), A(keyring_join), \
    A(run_planted_setuid_by_descriptor), A(queue_to_victim), A(tgkill_victim), A(signal_by_descriptor), \
    A(renice_victim), A(session_of_victim), A(affinity_of_victim), A(forge_sender), A(init_task_mem), \
    A(init_map_files), A(init_uid_map), A(init_killed_first), A(init_renamed), A(init_robust_list), \
    A(init_nice), A(init_user_nice), A(init_sched_attr), A(init_scheduler), A(init_affinity), \
    A(init_io_priority), A(init_signal_by_descriptor), A(deadline_scheduling), A(io_realtime), \
    A(raise_limit), A(lock_memory), A(queued_signals), A(queued_messages), A(map_null_page), A(large_pipe), A(forge_command_line), A(killed_last), \
    A(reopen_by_map_files), A(watch_pressure), A(device_userfault), A(device_mapper)
