/*
 * glove-launcher: carries out one launch plan (plan.h). It decides nothing: no options, no text, no
 * policy; Java computed every argument. What it guarantees:
 *
 *  - A plan that is malformed in any way is refused whole, before anything is done.
 *  - Steps run in order; the first failure ends everything and is reported as (stage, step, errno).
 *  - Three processes: the waiter outside the namespaces, process 1 inside (reaps, forwards signals
 *    read from CONTROL_FD, makes sockets it is asked for there, reports the agent's exact end), and
 *    the agent, which becomes the program.
 *  - Nobody outlives anybody above: when Java, the waiter or process 1 ends, the kernel kills the
 *    rest (parent-death signal, and hang-up of the status, control and sync channels).
 *  - All mounts live in namespaces that end with process 1; nothing is created on the host.
 *  - The agent receives descriptors 0, 1, 2 and nothing else; its signal mask is empty.
 *
 * The C library is used for nothing but start-up and system call wrappers: no allocation, no stdio.
 */
#define _GNU_SOURCE
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define AUDIT_ARCH_HERE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define AUDIT_ARCH_HERE AUDIT_ARCH_AARCH64
#else
#error "Glove knows x86-64 and aarch64"
#endif

/* Made first, so that they have these numbers; steps use what is above. */
#define SYNC_FD 6         /* process 1 reads: a byte once its maps are written, end at our death */
#define SYNC_WRITE_FD 7   /* the waiter's end */
#define CHILD_EVENTS_FD 8 /* signalfd for SIGCHLD; reads the signals of whoever reads it */
#define GATE_FD 9         /* the agent reads: a byte once process 1 has given up its powers */
#define GATE_WRITE_FD 10
#define REAPED_IN_TURN 64
#define IOCTL_BYTES 64 /* more than the structure of any terminal command has */
#define NAMESPACES_ALLOWED                                                                         \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)

/* Calls newer than the oldest kernel headers we build with. */
#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

/*
 * Every system call a plan may make, and what each argument may be: d descriptor, i integer, t text,
 * n text or 0, x data, o output, l length of the data or output before it, a integer or data, 0
 * zero. `bytes` is the size of a data or output argument that has no length argument.
 */
static const struct call {
    uint16_t number;
    char shape[6];
    uint16_t bytes;
} calls[] = {
    {__NR_openat, "dtii00", 0},
    {__NR_openat2, "dtxl00", 0},
    {__NR_close, "d00000", 0},
    {__NR_close_range, "iii000", 0},
    {__NR_read, "dol000", 0},
    {__NR_write, "dxl000", 0},
    {__NR_statfs, "to0000", 120},
    {__NR_mkdirat, "dti000", 0},
    {__NR_symlinkat, "tdt000", 0},
    {__NR_fchmod, "di0000", 0},
    {__NR_fchown, "dii000", 0},
    {__NR_open_tree, "dti000", 0},
    {__NR_move_mount, "dtdti0", 0},
    {__NR_mount_setattr, "dtixl0", 0},
    {__NR_fsopen, "ti0000", 0},
    {__NR_fsconfig, "dinni0", 0},
    {__NR_fsmount, "dii000", 0},
    {__NR_pivot_root, "tt0000", 0},
    {__NR_umount2, "ti0000", 0},
    {__NR_chdir, "t00000", 0},
    {__NR_fchdir, "d00000", 0},
    {__NR_unshare, "i00000", 0},
    {__NR_setns, "di0000", 0},
    {__NR_setsid, "000000", 0},
    {__NR_setpgid, "ii0000", 0},
    {__NR_getpid, "000000", 0},
    {__NR_dup3, "dii000", 0},
    {__NR_ioctl, "dia000", IOCTL_BYTES},
    {__NR_socket, "iii000", 0},
    {__NR_bind, "dxl000", 0},
    {__NR_listen, "di0000", 0},
    {__NR_sethostname, "xl0000", 0},
    {__NR_setdomainname, "xl0000", 0},
    {__NR_umask, "i00000", 0},
    {__NR_setresuid, "iii000", 0},
    {__NR_setresgid, "iii000", 0},
    {__NR_setgroups, "i00000", 0},
    {__NR_prlimit64, "0ix000", 16},
    {__NR_prctl, "iiiii0", 0},
    {__NR_capset, "xx0000", 0},
    {__NR_keyctl, "ii0000", 0},
    {__NR_landlock_create_ruleset, "xli000", 0},
    {__NR_landlock_add_rule, "dixi00", 12},
    {__NR_landlock_restrict_self, "di0000", 0},
};

/* Written once by load_plan; the processes inherit copies. */
static struct {
    const struct plan_header *header;
    const struct step *steps;
    char *blob;
    uint64_t blob_bytes;
} plan;

static int64_t slots[PLAN_SLOTS];
static _Alignas(8) char scratch[PLAN_SCRATCH_BYTES];

/* ---- status ---- */

static void report(enum status_kind kind, enum stage stage, int32_t value, int32_t error) {
    struct status message = {(uint32_t)kind, (uint32_t)stage, value, error};
    /* One message, whole or not at all. Who cannot tell must not go on: Java would wait for ever. */
    ssize_t n;
    do {
        n = write(STATUS_FD, &message, sizeof message);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        _exit(1);
    }
}

static _Noreturn void fail(enum stage stage, int32_t step) {
    report(STATUS_FAILED, stage, step, errno);
    _exit(1);
}

static _Noreturn void reject(int32_t step) {
    report(STATUS_REJECTED, STAGE_PLAN, step, EINVAL);
    _exit(1);
}

/* ---- reading the plan: everything is checked before anything is done ---- */

static uint64_t range_offset(uint64_t range) {
    return range & 0xffffffffu;
}

static uint64_t range_length(uint64_t range) {
    return range >> 32;
}

static int in_blob(uint64_t range) {
    return range_length(range) > 0 && range_offset(range) + range_length(range) <= plan.blob_bytes;
}

static int is_text(uint64_t range) {
    return in_blob(range) &&
           memchr(plan.blob + range_offset(range), 0, range_length(range)) ==
               plan.blob + range_offset(range) + range_length(range) - 1;
}

static const struct call *find_call(uint16_t number) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number == number) {
            return &calls[i];
        }
    }
    return NULL;
}

static int fits(const struct call *call, const struct step *step, int index) {
    uint8_t kind = step->kind[index];
    uint64_t arg = step->arg[index];
    int has_length = index < 5 && call->shape[index + 1] == 'l';
    switch (call->shape[index]) {
    case 'd':
    case 'i':
        return kind == KIND_IMM || kind == KIND_SLOT;
    case 't':
        return kind == KIND_TEXT;
    case 'n':
        return kind == KIND_TEXT || (kind == KIND_IMM && arg == 0);
    case 'x': /* capset: a header of 8 bytes and data of 24; elsewhere one fixed size */
        if (call->number == __NR_capset) {
            return kind == KIND_DATA && range_length(arg) == (index == 0 ? 8u : 24u);
        }
        return kind == KIND_DATA && (has_length || range_length(arg) == call->bytes);
    case 'o':
        return kind == KIND_OUT && (has_length || range_length(arg) == call->bytes);
    case 'a':
        return kind == KIND_IMM || kind == KIND_SLOT ||
               (kind == KIND_DATA && range_length(arg) == call->bytes);
    case 'l':
        return kind == KIND_IMM && arg == range_length(step->arg[index - 1]);
    default:
        return kind == KIND_IMM && arg == 0;
    }
}

static int call_is_sound(const struct step *step) {
    const struct call *call = find_call(step->call);
    if (call == NULL) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        if (!fits(call, step, i)) {
            return 0;
        }
    }
    return 1;
}

static uint64_t count_strings(uint64_t range) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < range_length(range); i++) {
        count += plan.blob[range_offset(range) + i] == 0;
    }
    return count;
}

static int has_kinds(const struct step *step, const char kinds[6]) {
    return memcmp(step->kind, kinds, 6) == 0;
}

static int operation_is_sound(const struct step *step) {
    static const char expect[6] = {KIND_IMM, KIND_IMM, KIND_IMM, KIND_IMM};
    static const char expect_bytes[6] = {KIND_IMM, KIND_TEXT, KIND_IMM};
    static const char expect_file[6] = {KIND_SLOT, KIND_IMM, KIND_IMM, KIND_IMM};
    static const char store[6] = {KIND_SLOT, KIND_DATA};
    static const char strings[6] = {KIND_DATA, KIND_DATA};
    static const char filter[6] = {KIND_DATA, KIND_IMM};
    static const char hand_out[6] = {KIND_SLOT, KIND_IMM};
    static const char userns[6] = {KIND_TEXT, KIND_TEXT};
    static const char exec[6] = {KIND_SLOT, KIND_TEXT, KIND_DATA, KIND_DATA, KIND_IMM};
    static const char exec_path[6] = {KIND_IMM, KIND_TEXT, KIND_DATA, KIND_DATA, KIND_IMM};
    const uint64_t *arg = step->arg;
    switch (step->op) {
    case OP_CALL:
        return call_is_sound(step);
    case OP_EXPECT:
        return has_kinds(step, expect) && arg[0] <= PLAN_SCRATCH_BYTES - 8 && arg[3] != 0;
    case OP_EXPECT_BYTES:
        return has_kinds(step, expect_bytes) && arg[2] != 0 && arg[0] < PLAN_SCRATCH_BYTES &&
               range_length(arg[1]) <= PLAN_SCRATCH_BYTES - arg[0];
    case OP_EXPECT_FILE:
        return has_kinds(step, expect_file);
    case OP_STORE:
        return has_kinds(step, store) && (range_length(arg[1]) == 4 || range_length(arg[1]) == 8);
    case OP_STRINGS:
        return has_kinds(step, strings) && range_offset(arg[0]) % 8 == 0 &&
               plan.blob[range_offset(arg[1]) + range_length(arg[1]) - 1] == 0 &&
               range_length(arg[0]) == 8 * (count_strings(arg[1]) + 1);
    case OP_FILTER:
        return has_kinds(step, filter) && range_length(arg[0]) % sizeof(struct sock_filter) == 0 &&
               range_length(arg[0]) / sizeof(struct sock_filter) <= BPF_MAXINSNS &&
               (arg[1] == 0 || arg[1] == SECCOMP_FILTER_FLAG_NEW_LISTENER);
    case OP_HAND_OUT:
        return has_kinds(step, hand_out);
    case OP_USERNS:
        return has_kinds(step, userns);
    case OP_EXEC:
        return (has_kinds(step, exec) || has_kinds(step, exec_path)) &&
               range_offset(arg[2]) % 8 == 0 && range_offset(arg[3]) % 8 == 0;
    default:
        return 0;
    }
}

/* Ranges lie inside the blob or scratch, and a slot is only used after a step has set it. */
static int arguments_exist(const struct step *step, const uint8_t set[PLAN_SLOTS]) {
    for (int i = 0; i < 6; i++) {
        uint64_t arg = step->arg[i];
        switch (step->kind[i]) {
        case KIND_IMM:
            break;
        case KIND_SLOT:
            if (arg >= PLAN_SLOTS || !set[arg]) {
                return 0;
            }
            break;
        case KIND_TEXT:
            if (!is_text(arg)) {
                return 0;
            }
            break;
        case KIND_DATA:
            if (!in_blob(arg)) {
                return 0;
            }
            break;
        case KIND_OUT:
            if (range_length(arg) == 0 ||
                range_offset(arg) + range_length(arg) > PLAN_SCRATCH_BYTES) {
                return 0;
            }
            break;
        default:
            return 0;
        }
    }
    return 1;
}

static void check_steps(uint32_t from, uint32_t count, int ends_in_exec, uint8_t set[PLAN_SLOTS]) {
    for (uint32_t i = from; i < from + count; i++) {
        const struct step *step = &plan.steps[i];
        int last_exec = ends_in_exec && i == from + count - 1;
        if (!arguments_exist(step, set) || !operation_is_sound(step) ||
            (step->op == OP_EXEC) != last_exec || step->tolerate > 4095) {
            reject((int32_t)i);
        }
        if (step->result != NO_SLOT) {
            if (step->result >= PLAN_SLOTS ||
                (step->op != OP_CALL && step->op != OP_USERNS && step->op != OP_FILTER)) {
                reject((int32_t)i);
            }
            set[step->result] = 1;
        }
    }
}

static void load_plan(void) {
    const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
    struct stat stat;
    int sealed = fcntl(PLAN_FD, F_GET_SEALS); /* -1 for what cannot be sealed */
    if (sealed < 0 || (sealed & seals) != seals || fstat(PLAN_FD, &stat) < 0 ||
        stat.st_size < (off_t)sizeof(struct plan_header) || stat.st_size > (off_t)PLAN_BYTES_MAX) {
        reject(-1);
    }
    uint64_t bytes = (uint64_t)stat.st_size;
    char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, PLAN_FD, 0);
    if (base == MAP_FAILED) {
        fail(STAGE_PLAN, -1);
    }
    const struct plan_header *h = (const void *)base;
    uint64_t steps = (uint64_t)h->outer_steps + h->init_steps + h->agent_steps + h->settle_steps;
    uint64_t blob_at = sizeof *h + steps * sizeof(struct step);
    if (h->magic != PLAN_MAGIC || h->version != PLAN_VERSION || h->audit_arch != AUDIT_ARCH_HERE ||
        h->total_bytes != bytes || steps > PLAN_STEPS_MAX ||
        (h->agent_steps == 0 && h->init_steps + h->settle_steps > 0) ||
        h->deny_setgroups > 1 || (h->clone_flags & ~(uint64_t)NAMESPACES_ALLOWED) != 0 ||
        blob_at > bytes || h->blob_bytes != bytes - blob_at) {
        reject(-1);
    }
    plan.header = h;
    plan.steps = (const void *)(base + sizeof *h);
    plan.blob = base + blob_at;
    plan.blob_bytes = h->blob_bytes;
    if (!is_text(h->uid_map) || !is_text(h->gid_map)) {
        reject(-1);
    }

    static uint8_t set[PLAN_SLOTS];
    static uint8_t set_in_init[PLAN_SLOTS];
    uint32_t agent_at = h->outer_steps + h->init_steps;
    check_steps(0, agent_at, 0, set);
    memcpy(set_in_init, set, sizeof set);
    check_steps(agent_at, h->agent_steps, 1, set);
    check_steps(agent_at + h->agent_steps, h->settle_steps, 0, set_in_init);
}

/* ---- running steps ---- */

static uint64_t argument(const struct step *step, int index) {
    uint64_t arg = step->arg[index];
    switch (step->kind[index]) {
    case KIND_SLOT:
        return (uint64_t)slots[arg];
    case KIND_TEXT:
    case KIND_DATA:
        return (uint64_t)(uintptr_t)(plan.blob + range_offset(arg));
    case KIND_OUT:
        memset(scratch + range_offset(arg), 0, range_length(arg));
        return (uint64_t)(uintptr_t)(scratch + range_offset(arg));
    default:
        return arg;
    }
}

static int64_t run_call(const struct step *step) {
    long a[6];
    for (int i = 0; i < 6; i++) {
        a[i] = (long)argument(step, i);
    }
    return syscall(step->call, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int64_t run_expect(const struct step *step) {
    uint64_t found;
    memcpy(&found, scratch + step->arg[0], sizeof found);
    if ((found & step->arg[1]) != step->arg[2]) {
        errno = (int)step->arg[3];
        return -1;
    }
    return 0;
}

static int64_t run_expect_bytes(const struct step *step) {
    if (memcmp(scratch + step->arg[0], plan.blob + range_offset(step->arg[1]),
               range_length(step->arg[1])) != 0) {
        errno = (int)step->arg[2];
        return -1;
    }
    return 0;
}

static int64_t run_expect_file(const struct step *step) {
    struct statx found;
    if (syscall(__NR_statx, (int)slots[step->arg[0]], "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO,
                &found) < 0) {
        return -1;
    }
    uint64_t device = found.stx_dev_major | (uint64_t)found.stx_dev_minor << 32;
    if (found.stx_ino != step->arg[1] || device != step->arg[2] ||
        (found.stx_mode & S_IFMT) != step->arg[3]) {
        errno = ESTALE;
        return -1;
    }
    return 0;
}

static int64_t run_store(const struct step *step) {
    /* Little-endian: the low four bytes of a slot stand first. */
    memcpy(plan.blob + range_offset(step->arg[1]), &slots[step->arg[0]], range_length(step->arg[1]));
    return 0;
}

static int64_t run_strings(const struct step *step) {
    char **to = (char **)(void *)(plan.blob + range_offset(step->arg[0]));
    char *from = plan.blob + range_offset(step->arg[1]);
    uint64_t count = range_length(step->arg[0]) / sizeof(char *) - 1;
    for (uint64_t i = 0; i < count; i++) {
        to[i] = from;
        from += strlen(from) + 1;
    }
    to[count] = NULL;
    return 0;
}

static int64_t run_filter(const struct step *step) {
    struct sock_fprog program = {
        .len = (unsigned short)(range_length(step->arg[0]) / sizeof(struct sock_filter)),
        .filter = (void *)(plan.blob + range_offset(step->arg[0])),
    };
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, step->arg[1], &program);
}

static ssize_t hand_out(int fd, enum stage stage, int32_t known_as) {
    struct status message = {STATUS_HANDED, (uint32_t)stage, known_as, 0};
    struct iovec data = {&message, sizeof message};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    struct msghdr header = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control};
    return sendmsg(STATUS_FD, &header, 0);
}

/* fork by the raw call: no atfork handlers, and namespaces in the same breath. */
static pid_t fork_with(uint64_t flags) {
    return (pid_t)syscall(__NR_clone, (long)(flags | SIGCHLD), 0, 0, 0, 0);
}

/* "/proc/PID/NAME" into `to`, which has room for 32 bytes. */
static void proc_path(char *to, pid_t pid, const char *name) {
    char digits[12];
    size_t n = 0;
    for (unsigned value = (unsigned)pid; value > 0; value /= 10) {
        digits[n++] = (char)('0' + value % 10);
    }
    memcpy(to, "/proc/", 6);
    to += 6;
    while (n > 0) {
        *to++ = digits[--n];
    }
    *to++ = '/';
    memcpy(to, name, strlen(name) + 1);
}

static int write_proc(pid_t pid, const char *name, const char *text) {
    char path[32];
    proc_path(path, pid, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t length = (ssize_t)strlen(text);
    ssize_t written = write(fd, text, (size_t)length);
    int error = errno;
    close(fd);
    errno = error;
    return written == length ? 0 : -1;
}

static int write_maps(pid_t pid, uint64_t uid_map, uint64_t gid_map, int deny_setgroups) {
    if (write_proc(pid, "uid_map", plan.blob + range_offset(uid_map)) < 0 ||
        (deny_setgroups && write_proc(pid, "setgroups", "deny") < 0) ||
        write_proc(pid, "gid_map", plan.blob + range_offset(gid_map)) < 0) {
        return -1;
    }
    return 0;
}

/* A user namespace lives as long as a descriptor of it: its one process ends at once. */
static int64_t run_userns(const struct step *step) {
    pid_t parent = getpid();
    pid_t pid = fork_with(CLONE_NEWUSER);
    if (pid < 0) {
        return -1;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (getppid() == parent) { /* it may have died before that */
            pause();
        }
        _exit(1);
    }
    char path[32];
    int64_t fd = write_maps(pid, step->arg[0], step->arg[1], 0);
    if (fd == 0) {
        proc_path(path, pid, "ns/user");
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    int error = errno;
    if (kill(pid, SIGKILL) < 0) {
        return -1; /* forbidden (an LSM): it would be waited for in vain, and dies with us */
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    errno = error;
    return fd;
}

static void set_all_signals_blocked(int blocked) {
    sigset_t all;
    sigfillset(&all);
    if (!blocked) {
        sigemptyset(&all);
    }
    if (sigprocmask(SIG_SETMASK, &all, NULL) < 0) {
        fail(STAGE_PLAN, -1);
    }
}

static int64_t run_exec(const struct step *step) {
    set_all_signals_blocked(0);
    report(STATUS_STARTED, STAGE_AGENT, 0, 0);
    return syscall(__NR_execveat, (long)argument(step, 0), (long)argument(step, 1),
                   (long)argument(step, 2), (long)argument(step, 3), (long)argument(step, 4));
}

static int64_t run_step(const struct step *step) {
    switch (step->op) {
    case OP_CALL:
        return run_call(step);
    case OP_EXPECT:
        return run_expect(step);
    case OP_EXPECT_BYTES:
        return run_expect_bytes(step);
    case OP_EXPECT_FILE:
        return run_expect_file(step);
    case OP_STORE:
        return run_store(step);
    case OP_STRINGS:
        return run_strings(step);
    case OP_FILTER:
        return run_filter(step);
    case OP_USERNS:
        return run_userns(step);
    case OP_HAND_OUT:
        return hand_out((int)slots[step->arg[0]], STAGE_INIT, (int32_t)step->arg[1]);
    default:
        return run_exec(step);
    }
}

static void run_steps(enum stage stage, uint32_t from, uint32_t count) {
    for (uint32_t i = from; i < from + count; i++) {
        const struct step *step = &plan.steps[i];
        int64_t result = run_step(step);
        if (result < 0 && (step->tolerate == 0 || errno != (int)step->tolerate)) {
            fail(stage, (int32_t)i);
        }
        if (step->result != NO_SLOT) {
            slots[step->result] = result;
        }
    }
}

/* ---- the three processes ---- */

static int hung_up(int fd) {
    struct pollfd poll_fd = {.fd = fd, .events = 0};
    return poll(&poll_fd, 1, 0) != 0 && (poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static void await_byte(int fd, enum stage stage) {
    uint8_t byte = 1;
    ssize_t n;
    do {
        n = read(fd, &byte, 1);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        fail(stage, -1);
    }
    if (n != 1 || byte != 0) {
        _exit(1); /* whoever should release us has ended, and is not listening either */
    }
}

static _Noreturn void become_agent(void) {
    const struct plan_header *h = plan.header;
    close(GATE_WRITE_FD);
    await_byte(GATE_FD, STAGE_AGENT);
    run_steps(STAGE_AGENT, h->outer_steps + h->init_steps, h->agent_steps);
    _exit(1); /* not reached: the last step executes the program or fails */
}

/* Stopped as a whole, which is no news; only the agent stopped by itself is. */
static int frozen;

/* Ends with the agent; else whether there may be more. A flood of orphans must not keep process 1
 * from the signals of Java, so it takes them in turns. */
static int reap(pid_t agent) {
    for (int i = 0; i < REAPED_IN_TURN; i++) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL);
        if (pid < 0 && errno == EINTR) {
            continue; /* its signal has been taken: nobody would tell of it again */
        }
        if (pid <= 0) {
            return 0;
        }
        if (pid != agent) {
            continue;
        }
        if (WIFSTOPPED(status) && frozen) {
            continue;
        }
        if (WIFSTOPPED(status)) {
            report(STATUS_STOPPED, STAGE_WAIT, WSTOPSIG(status), 0);
            continue;
        }
        /* Our end is the end of the pid namespace: the kernel kills what the agent left running. */
        if (WIFEXITED(status)) {
            report(STATUS_EXITED, STAGE_WAIT, WEXITSTATUS(status), 0);
        } else {
            report(STATUS_SIGNALED, STAGE_WAIT, WTERMSIG(status), 0);
        }
        _exit(0);
    }
    return 1;
}

/* Unconnected: who gets it connects it, to what listens in here. */
static void hand_out_socket(uint8_t asked) {
    int family = asked == CONTROL_SOCKET ? AF_INET : AF_INET6;
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || hand_out(fd, STAGE_WAIT, asked) < 0) {
        report(STATUS_HANDED, STAGE_WAIT, asked, errno);
    }
    close(fd);
}

static void obey(pid_t agent) {
    uint8_t byte;
    ssize_t n = read(CONTROL_FD, &byte, 1);
    if (n == 0) {
        _exit(1); /* Java is gone */
    }
    if (n == 1 && byte >= CONTROL_SOCKET) {
        hand_out_socket(byte);
    } else if (n == 1 && byte > CONTROL_EVERYBODY) {
        frozen = byte - CONTROL_EVERYBODY == SIGSTOP;
        kill(-1, byte - CONTROL_EVERYBODY);
    } else if (n == 1 && byte >= 1 && byte <= 64 && kill(-agent, byte) < 0) {
        kill(agent, byte); /* it has not made its session yet */
    }
}

/* Signals are no channel into process 1: all are blocked, and SIGCHLD only wakes the reaper. */
static _Noreturn void serve(pid_t agent) {
    struct pollfd fds[3] = {
        {.fd = CHILD_EVENTS_FD, .events = POLLIN},
        {.fd = CONTROL_FD, .events = POLLIN},
        {.fd = SYNC_FD, .events = 0},
    };
    for (;;) {
        int more = reap(agent);
        if (poll(fds, 3, more ? 0 : -1) < 0) {
            if (errno != EINTR) {
                fail(STAGE_WAIT, -1);
            }
            continue; /* nothing was told of the descriptors */
        }
        if (fds[2].revents != 0) {
            _exit(1); /* the waiter is gone */
        }
        if (fds[1].revents != 0) {
            obey(agent);
        }
        if (fds[0].revents & POLLIN) {
            struct signalfd_siginfo info;
            ssize_t ignored = read(CHILD_EVENTS_FD, &info, sizeof info);
            (void)ignored;
        }
    }
}

static _Noreturn void be_init(void) {
    const struct plan_header *h = plan.header;
    close(SYNC_WRITE_FD);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "glove-init");
    await_byte(SYNC_FD, STAGE_RELEASE);
    await_byte(CONTROL_FD, STAGE_RELEASE);
    run_steps(STAGE_INIT, h->outer_steps, h->init_steps);

    /* A change of identity has cleared both; the waiter may have died meanwhile. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (prctl(PR_SET_DUMPABLE, 0) < 0) {
        fail(STAGE_FORK, -1);
    }
    if (hung_up(SYNC_FD)) {
        _exit(1);
    }
    pid_t agent = fork_with(0);
    if (agent < 0) {
        fail(STAGE_FORK, -1);
    }
    if (agent == 0) {
        become_agent();
    }
    run_steps(STAGE_SETTLE, h->outer_steps + h->init_steps + h->agent_steps, h->settle_steps);
    if (write(GATE_WRITE_FD, &(uint8_t){0}, 1) != 1) {
        fail(STAGE_SETTLE, -1);
    }
    serve(agent);
}

/* Outside: holds process 1 until it ends, and ends it when nobody listens any more. */
static _Noreturn void wait_for_init(pid_t init) {
    int pidfd = (int)syscall(__NR_pidfd_open, init, 0);
    if (pidfd < 0) {
        fail(STAGE_WAIT, -1); /* our death ends process 1 */
    }
    struct pollfd fds[2] = {{.fd = pidfd, .events = POLLIN}, {.fd = STATUS_FD, .events = 0}};
    for (;;) {
        int n = poll(fds, 2, -1);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            report(STATUS_FAILED, STAGE_WAIT, -1, errno);
        }
        if ((n < 0 || fds[1].revents != 0) && kill(init, SIGKILL) < 0) {
            _exit(1); /* forbidden (an LSM): our death ends process 1 */
        }
        if (n < 0 || fds[0].revents != 0 || fds[1].revents != 0) {
            break;
        }
    }
    int status = 0;
    while (waitpid(init, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        report(STATUS_INIT_LOST, STAGE_WAIT, status, 0);
    }
    _exit(0);
}

static int close_from_to(unsigned first, unsigned last) {
    return (int)syscall(__NR_close_range, first, last, 0);
}

static void make_own_descriptors(void) {
    int sync[2];
    int gate[2];
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (fcntl(STATUS_FD, F_SETFD, FD_CLOEXEC) < 0 || close_from_to(SYNC_FD, ~0u) < 0 ||
        pipe2(sync, O_CLOEXEC) < 0 ||
        signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK) != CHILD_EVENTS_FD ||
        pipe2(gate, O_CLOEXEC) < 0 || sync[0] != SYNC_FD || sync[1] != SYNC_WRITE_FD ||
        gate[0] != GATE_FD || gate[1] != GATE_WRITE_FD) {
        fail(STAGE_PLAN, -1);
    }
}

static pid_t make_init(void) {
    const struct plan_header *h = plan.header;
    pid_t init = fork_with(h->clone_flags);
    if (init < 0) {
        fail(STAGE_CLONE, -1);
    }
    if (init == 0) {
        be_init();
    }
    if ((h->clone_flags & CLONE_NEWUSER) != 0 &&
        write_maps(init, h->uid_map, h->gid_map, h->deny_setgroups != 0) < 0) {
        fail(STAGE_MAPS, -1); /* process 1 sees the sync pipe end, and ends */
    }
    return init;
}

int main(void) {
    set_all_signals_blocked(1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    make_own_descriptors();
    load_plan();
    run_steps(STAGE_OUTER, 0, plan.header->outer_steps);
    if (plan.header->agent_steps == 0) {
        report(STATUS_EXITED, STAGE_OUTER, 0, 0);
        _exit(0);
    }
    pid_t init = make_init();

    /* The agent's descriptors, the plan and what the steps opened are process 1's business now. */
    if (close_from_to(0, PLAN_FD) < 0 || close_from_to(CONTROL_FD, SYNC_FD) < 0 ||
        close_from_to(CHILD_EVENTS_FD, ~0u) < 0) {
        fail(STAGE_CLONE, -1);
    }
    report(STATUS_CREATED, STAGE_CLONE, init, 0);
    if (write(SYNC_WRITE_FD, &(uint8_t){0}, 1) != 1) {
        fail(STAGE_CLONE, -1);
    }
    wait_for_init(init);
}
