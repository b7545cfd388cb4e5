/*
 * The launch plan: what the launcher reads from descriptor PLAN_FD, one description for C and Java
 * (glove.sandbox.PlanWriter). All integers little-endian; every part 8-byte aligned.
 *
 *   struct plan_header
 *   struct step[outer + init + agent + settle]     phases in this order
 *   blob                                           strings, structures, programs; writable copy
 *
 * A step is one system call (or one of the few operations below) with up to six arguments, each of
 * a kind. The launcher knows for each call it may make which kinds fit (launcher.c, `calls`), and
 * refuses the whole plan before doing anything when one does not.
 */
#ifndef GLOVE_PLAN_H
#define GLOVE_PLAN_H

#include <stdint.h>

#define PLAN_MAGIC 0x314e414c50564c47u /* "GLVPLAN1" */
#define PLAN_VERSION 1u

#define PLAN_BYTES_MAX (64u << 20)
#define PLAN_STEPS_MAX 65536u
#define PLAN_SLOTS 4096u
#define PLAN_SCRATCH_BYTES 4096u
#define NO_SLOT 0xffffu

/* Descriptors the launcher is started with; 0, 1 and 2 belong to the agent. */
#define PLAN_FD 3    /* the plan: a sealed memfd */
#define STATUS_FD 4  /* one end of a SOCK_SEQPACKET pair: struct status messages, descriptors */
#define CONTROL_FD 5 /* read end of a pipe: enum control, then bytes; its end kills all */
#define FIRST_STEP_FD 11 /* descriptors below are the launcher's own; steps open from here on */

enum control {
    CONTROL_RELEASE = 0,     /* the first byte: process 1 may begin */
    CONTROL_EVERYBODY = 128, /* a signal 1..64 to the agent's group; plus 128: to all inside */
    CONTROL_SOCKET = 254,    /* a fresh TCP socket of the namespace over IPv4: STATUS_HANDED */
    CONTROL_SOCKET6 = 255,   /* the same over IPv6 */
};

enum op {
    OP_CALL = 1,     /* call(arg0..arg5) -> result slot; fails on a negative result */
    OP_EXPECT,       /* (u64 at scratch+arg0 & arg1) == arg2, else fail with errno arg3 */
    OP_EXPECT_BYTES, /* scratch+arg0 holds the text arg1 and a NUL, else fail with errno arg2 */
    OP_STORE,        /* copy slot arg0 into the blob range arg1 (4 or 8 bytes) */
    OP_STRINGS,      /* blob range arg0 := pointers to the NUL-ended strings of range arg1, then NULL */
    OP_FILTER,       /* install the seccomp program in blob range arg0, flags arg1 -> result slot */
    OP_USERNS,       /* make a user namespace with uid map arg0 and gid map arg1 -> result slot */
    OP_EXEC,         /* execveat(arg0, path arg1, argv arg2, envp arg3, flags arg4); ends AGENT */
    OP_EXPECT_FILE,  /* descriptor arg0 is inode arg1 on device arg2 (major | minor << 32), type arg3 */
    OP_HAND_OUT,     /* send descriptor arg0 over STATUS_FD, to be known as arg1 */
};

enum kind {
    KIND_IMM = 0, /* the number itself */
    KIND_SLOT,    /* the value in slot number arg */
    KIND_TEXT,    /* blob range holding one NUL-ended string, the NUL included */
    KIND_DATA,    /* blob range */
    KIND_OUT,     /* scratch range, zeroed before the call */
};
/* A range is offset | length << 32. */

struct step {
    uint16_t op;
    uint16_t call;     /* system call number of this machine, for OP_CALL */
    uint16_t result;   /* slot or NO_SLOT */
    uint8_t kind[6];
    uint32_t tolerate; /* this errno counts as success; 0: none */
    uint64_t arg[6];
};

struct plan_header {
    uint64_t magic;
    uint32_t version;
    uint32_t audit_arch; /* AUDIT_ARCH_* of the machine the call numbers belong to */
    uint64_t total_bytes;
    uint32_t outer_steps;  /* outside, before the namespaces exist */
    uint32_t init_steps;   /* process 1 of the namespaces */
    uint32_t agent_steps;  /* the agent's process, up to its execve; 0: the outer steps are all */
    uint32_t settle_steps; /* process 1 again, once the agent is forked: give up its powers */
    uint64_t blob_bytes;
    uint64_t clone_flags; /* CLONE_NEW* for process 1 */
    uint64_t uid_map;     /* text range written to /proc/PID/uid_map, with CLONE_NEWUSER */
    uint64_t gid_map;
    uint64_t deny_setgroups; /* 1: write "deny" first (an ordinary user must); 0: leave */
};

enum status_kind {
    STATUS_REJECTED = 1, /* malformed plan: value = step index or -1; nothing was done */
    STATUS_FAILED,       /* value = step index over all phases (or -1), error = errno */
    STATUS_CREATED,      /* value = pid of process 1 outside; it waits for the release byte */
    STATUS_STARTED,      /* the agent is about to be executed */
    STATUS_EXITED,       /* value = exit code of the agent */
    STATUS_SIGNALED,     /* value = signal that ended the agent */
    STATUS_INIT_LOST,    /* value = wait status of process 1, which ended without a verdict */
    STATUS_STOPPED,      /* value = signal that stopped the agent */
    STATUS_HANDED,       /* comes with a descriptor; value = what it is to be known as. STAGE_WAIT:
                            answers the control byte in value; with an error and nothing if it failed */
};

enum stage {
    STAGE_PLAN = 1,
    STAGE_OUTER,
    STAGE_CLONE,
    STAGE_MAPS,
    STAGE_RELEASE,
    STAGE_INIT,
    STAGE_FORK,
    STAGE_AGENT,
    STAGE_SETTLE,
    STAGE_WAIT,
};

struct status {
    uint32_t kind;
    uint32_t stage;
    int32_t value;
    int32_t error;
};

_Static_assert(sizeof(struct step) == 64, "step layout");
_Static_assert(sizeof(struct plan_header) == 80, "header layout");
_Static_assert(sizeof(struct status) == 16, "status layout");

#endif
