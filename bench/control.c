/*
 * Clients of gloved for bench/gloved, as cheap as they can be, since they share its processors: one
 * thread, a connection for each request, as many of them under way as there are clients.
 * Single-purpose: fails loudly, decides nothing.
 *   control create DIRECTORY PLAN NAME COUNT CLIENTS  creates sessions NAME-0, NAME-1, ... with the
 *                                                     plan of a file, until COUNT or the store is
 *                                                     full; prints "MADE RATE P50", the rate in
 *                                                     creations a second, the median in microseconds
 *   control status DIRECTORY NAME COUNT               asks for a session, one request at a time;
 *                                                     prints "P50 P99" in microseconds, of the
 *                                                     second half
 *   control syncs FILE BYTES SECONDS                  appends, and a fdatasync for each; prints how
 *                                                     many a second
 * DIRECTORY has the daemon's runtime directory "runtime".
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 64
#define PLAN_BYTES_MAX (64 << 10)
#define FRAME_BYTES_MAX (PLAN_BYTES_MAX + 1024)
#define SECRET_DIGITS 64
#define REQUESTS_MAX (1 << 20)
#define MILLIS_TO_ANSWER 10000

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char secret[SECRET_DIGITS + 1];
static int64_t took[REQUESTS_MAX];

static void die(const char *what) {
    fprintf(stderr, "control: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t micros(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static size_t read_file(const char *path, char *into, size_t room) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, into, room - 1);
    if (n < 0) {
        die(path);
    }
    close(fd);
    into[n] = 0;
    return (size_t)n;
}

static void find_daemon(const char *directory) {
    char path[4096];
    snprintf(path, sizeof path, "%s/runtime/bootstrap-secret", directory);
    read_file(path, secret, sizeof secret);
    int n = snprintf(
        address.sun_path, sizeof address.sun_path, "%s/runtime/gloved.sock", directory);
    if (n >= (int)sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        die(directory);
    }
}

struct client {
    int fd;
    int64_t since;
};

/* Connects and sends: a request that fits the socket's buffer never waits. */
static struct client ask(const char *method, const char *key, const char *payload) {
    static char frame[FRAME_BYTES_MAX];
    int length = snprintf(
        frame + 4, sizeof frame - 4,
        "{\"jsonrpc\":\"2.0\",\"id\":\"bench\",\"method\":\"%s\",\"params\":{\"schema_version\":1,"
        "\"bootstrap_secret\":\"%s\",\"deadline_ms\":%" PRId64 ",%s\"payload\":%s}}",
        method, secret, micros(CLOCK_REALTIME) / 1000 + 5000, key, payload);
    uint32_t big_endian = htonl((uint32_t)length);
    memcpy(frame, &big_endian, 4);
    struct client client = {.since = micros(CLOCK_MONOTONIC)};
    client.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client.fd < 0 ||
        connect(client.fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        send(client.fd, frame, (size_t)length + 4, MSG_NOSIGNAL) != length + 4) {
        die("request");
    }
    return client;
}

/* Takes the answer; returns whether it is a result, and says what else it is. */
static int is_result(struct client client) {
    char answer[4096];
    ssize_t n = 0;
    do {
        ssize_t more = recv(client.fd, answer + n, sizeof answer - 1 - (size_t)n, 0);
        if (more <= 0) {
            die("no whole answer");
        }
        n += more;
    } while (n < 4 || n < 4 + (ssize_t)(((unsigned char)answer[2] << 8) + (unsigned char)answer[3]));
    close(client.fd);
    answer[n] = 0;
    if (strstr(answer + 4, "\"result\":") != NULL) {
        return 1;
    }
    if (strstr(answer + 4, "\"session_capacity\"") == NULL) {
        fprintf(stderr, "control: %s\n", answer + 4);
        exit(1);
    }
    return 0;
}

static struct client create(const char *plan, const char *name, int number) {
    static char payload[FRAME_BYTES_MAX];
    char key[256];
    snprintf(key, sizeof key, "\"idempotency_key\":\"%s-%d\",", name, number);
    snprintf(
        payload, sizeof payload,
        "{\"session_id\":\"%s-%d\",\"controller_plan_digest\":"
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"plan\":%s}",
        name, number, plan);
    return ask("create_session", key, payload);
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void create_all(const char *plan, const char *name, int count, int clients) {
    struct client client[CLIENTS_MAX];
    struct pollfd waiting[CLIENTS_MAX];
    int begun = 0;
    int made = 0;
    int left = 0;
    int full = 0;
    int64_t start = micros(CLOCK_MONOTONIC);
    for (int i = 0; i < CLIENTS_MAX; i++) {
        waiting[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    }
    for (int i = 0; i < clients && begun < count; i++, left++) {
        client[i] = create(plan, name, begun++);
        waiting[i].fd = client[i].fd;
    }
    while (left > 0) {
        if (poll(waiting, (nfds_t)clients, MILLIS_TO_ANSWER) <= 0) {
            die("no answer");
        }
        for (int i = 0; i < clients; i++) {
            if (waiting[i].fd < 0 || waiting[i].revents == 0) {
                continue;
            }
            if (is_result(client[i])) {
                took[made++] = micros(CLOCK_MONOTONIC) - client[i].since;
            } else {
                full = 1;
            }
            if (begun < count && !full) {
                client[i] = create(plan, name, begun++);
                waiting[i].fd = client[i].fd;
            } else {
                waiting[i].fd = -1;
                left--;
            }
        }
    }
    double seconds = (double)(micros(CLOCK_MONOTONIC) - start) / 1e6;
    qsort(took, (size_t)made, sizeof *took, compare);
    printf("%d %.0f %" PRId64 "\n", made, made / seconds, took[made / 2]);
}

static void status(const char *name, int count) {
    char payload[256];
    snprintf(payload, sizeof payload, "{\"session_id\":\"%s\"}", name);
    for (int i = 0; i < count; i++) {
        struct client client = ask("session_status", "", payload);
        if (!is_result(client)) {
            exit(1);
        }
        took[i] = micros(CLOCK_MONOTONIC) - client.since;
    }
    int half = count / 2;
    qsort(took + half, (size_t)(count - half), sizeof *took, compare);
    printf("%" PRId64 " %" PRId64 "\n", took[half + half / 2], took[half + half * 99 / 100]);
}

static void syncs(const char *path, size_t bytes, int seconds) {
    char *record = calloc(1, bytes);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (record == NULL || fd < 0) {
        die(path);
    }
    int64_t start = micros(CLOCK_MONOTONIC);
    int64_t now = start;
    int count = 0;
    while (now - start < (int64_t)seconds * 1000000) {
        if (write(fd, record, bytes) != (ssize_t)bytes || fdatasync(fd) != 0) {
            die(path);
        }
        count++;
        now = micros(CLOCK_MONOTONIC);
    }
    unlink(path);
    printf("%.0f\n", count * 1e6 / (double)(now - start));
}

int main(int argc, char **argv) {
    if (argc == 7 && strcmp(argv[1], "create") == 0) {
        static char plan[PLAN_BYTES_MAX];
        int count = atoi(argv[5]);
        int clients = atoi(argv[6]);
        if (count < 1 || count > REQUESTS_MAX || clients < 1 || clients > CLIENTS_MAX) {
            errno = ERANGE;
            die("counts");
        }
        find_daemon(argv[2]);
        read_file(argv[3], plan, sizeof plan);
        create_all(plan, argv[4], count, clients);
    } else if (argc == 5 && strcmp(argv[1], "status") == 0 && atoi(argv[4]) <= REQUESTS_MAX) {
        find_daemon(argv[2]);
        status(argv[3], atoi(argv[4]));
    } else if (argc == 5 && strcmp(argv[1], "syncs") == 0) {
        syncs(argv[2], (size_t)atoi(argv[3]), atoi(argv[4]));
    } else {
        fprintf(stderr, "usage: see the head of bench/control.c\n");
        return 2;
    }
    return 0;
}
