/*
 * Both ends of bench/mcp. Single-purpose: fails loudly, decides nothing.
 *   mcp serve MICROS [START STAMP]  an MCP server on standard streams with one tool, echo, that
 *                                   answers after MICROS; says when it answered its first
 *                                   tools/list, after START milliseconds, in the file STAMP
 *   mcp calls COUNT WIDTH [COMMAND...]  COUNT calls, WIDTH of them in flight, of the server on
 *                                   its own standard streams, or of COMMAND
 *   mcp http PORT COUNT WIDTH       the same of a Streamable HTTP server, a connection for each
 *   mcp syncs FILE COUNT            COUNT lines of the audit log's size, an fsync for each
 * The clients end with a line on standard error: "RESULT CLOCK LIST P10 P50 P90 RATE". CLOCK is
 * the monotonic clock when the first tools/list was answered, LIST how long after the client's
 * start that was, both in microseconds like the latencies; RATE is in calls a second. The first
 * quarter of the calls counts for neither: compilers are at work then.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES (64 << 10)
#define QUEUE 1024
#define WIDTH_MAX 64

/* One line of the audit log is of about this size. */
#define EVENT_BYTES 400

static int64_t started;

static void die(const char *what) {
    fprintf(stderr, "mcp: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t micros(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void put(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0) {
            die("write");
        }
        bytes += n;
        length -= (size_t)n;
    }
}

/* Lines of a descriptor. */
struct lines {
    int fd;
    size_t from, to;
    char bytes[LINE_MAX_BYTES];
};

/* The next line that is already there, ended by a zero byte, or NULL. */
static char *buffered(struct lines *in) {
    char *end = memchr(in->bytes + in->from, '\n', in->to - in->from);
    if (end == NULL) {
        return NULL;
    }
    char *line = in->bytes + in->from;
    *end = 0;
    in->from = (size_t)(end - in->bytes) + 1;
    return line;
}

/* Reads once. False at the end. */
static bool more(struct lines *in) {
    memmove(in->bytes, in->bytes + in->from, in->to - in->from);
    in->to -= in->from;
    in->from = 0;
    if (in->to == sizeof in->bytes) {
        errno = EMSGSIZE;
        die("line");
    }
    ssize_t n = read(in->fd, in->bytes + in->to, sizeof in->bytes - in->to);
    if (n < 0) {
        die("read");
    }
    in->to += (size_t)n;
    return n > 0;
}

/* The id of a message, which is a number or a string without commas. */
static bool id(const char *message, char *into, size_t size) {
    const char *at = strstr(message, "\"id\":");
    if (at == NULL) {
        return false;
    }
    at += strlen("\"id\":");
    size_t length = strcspn(at, ",}");
    if (length >= size) {
        errno = EMSGSIZE;
        die("id");
    }
    memcpy(into, at, length);
    into[length] = 0;
    return true;
}

static void answer(const char *to, const char *result) {
    char line[1024];
    int n = snprintf(
            line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", to, result);
    put(STDOUT_FILENO, line, (size_t)n);
}

static void stamp(const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%" PRId64 "\n", micros()) < 0 || fclose(file) != 0) {
        die(path);
    }
}

static const char ECHOED[] = "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}";

static void serve(int64_t latency, int64_t start_millis, const char *stamp_path) {
    static struct lines in = {.fd = STDIN_FILENO};
    static struct {
        int64_t due;
        char id[32];
    } queue[QUEUE];
    size_t first = 0, last = 0;
    for (;;) {
        int64_t now = micros();
        for (; first != last && queue[first % QUEUE].due <= now; first++) {
            answer(queue[first % QUEUE].id, ECHOED);
        }
        char *line = buffered(&in);
        if (line == NULL) {
            struct pollfd on = {.fd = in.fd, .events = POLLIN};
            int64_t wait = first == last ? 0 : queue[first % QUEUE].due - now;
            struct timespec timeout = {wait / 1000000, wait % 1000000 * 1000};
            if (ppoll(&on, 1, first == last ? NULL : &timeout, NULL) > 0 && !more(&in)) {
                return;
            }
            continue;
        }
        char to[32];
        if (!id(line, to, sizeof to)) {
            continue;
        }
        if (strstr(line, "\"method\":\"initialize\"") != NULL) {
            usleep((useconds_t)(start_millis * 1000));
            answer(to, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                       "\"serverInfo\":{\"name\":\"bench\",\"version\":\"1\"}}");
        } else if (strstr(line, "\"method\":\"tools/list\"") != NULL) {
            answer(to, "{\"tools\":[{\"name\":\"echo\",\"description\":\"says it\","
                       "\"inputSchema\":{\"type\":\"object\"}}]}");
            if (stamp_path != NULL) {
                stamp(stamp_path);
                stamp_path = NULL;
            }
        } else if (strstr(line, "\"method\":\"tools/call\"") == NULL) {
            answer(to, "{}");
        } else if (latency == 0) {
            answer(to, ECHOED);
        } else if (last - first == QUEUE) {
            errno = ENOBUFS;
            die("too many calls");
        } else {
            strcpy(queue[last % QUEUE].id, to);
            queue[last++ % QUEUE].due = micros() + latency;
        }
    }
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Latencies in the order of their ends, after the first quarter that ended at a time. */
static void result(int64_t listed, int64_t *latencies, int count, int64_t warm) {
    int64_t elapsed = micros() - warm;
    latencies += count / 4;
    count -= count / 4;
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    fprintf(stderr,
            "RESULT %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %.0f\n",
            listed,
            listed - started,
            latencies[count / 10],
            latencies[count / 2],
            latencies[count * 9 / 10],
            (double)count * 1e6 / (double)elapsed);
}

static const char CLIENT[] =
        "\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}";

static int call_message(char *into, size_t size, int number) {
    return snprintf(
            into,
            size,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
            "\"echo\",\"arguments\":{\"text\":\"hello\",\"count\":%d}}}\n",
            number,
            number);
}

/* Waits for the answer to one number. */
static void expect(struct lines *in, int number) {
    for (;;) {
        char *line = buffered(in);
        char got[32];
        if (line == NULL) {
            if (!more(in)) {
                errno = EPIPE;
                die("no answer");
            }
        } else if (id(line, got, sizeof got) && atoi(got) == number) {
            return;
        }
    }
}

static void calls(int count, int width, int in_fd, int out_fd) {
    static struct lines in;
    in.fd = in_fd;
    int64_t *sent = calloc((size_t)count + 2, sizeof *sent);
    int64_t *latencies = calloc((size_t)count, sizeof *latencies);
    char line[512];
    int n = snprintf(
            line,
            sizeof line,
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",%s}\n",
            CLIENT);
    put(out_fd, line, (size_t)n);
    expect(&in, 0);
    n = snprintf(
            line,
            sizeof line,
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    put(out_fd, line, (size_t)n);
    expect(&in, 1);
    int64_t listed = micros();
    int64_t warm = listed;
    int next = 0, done = 0;
    while (done < count) {
        while (next < count && next - done < width) {
            n = call_message(line, sizeof line, next + 2);
            sent[next++] = micros();
            put(out_fd, line, (size_t)n);
        }
        char *got = buffered(&in);
        char to[32];
        if (got == NULL) {
            if (!more(&in)) {
                errno = EPIPE;
                die("no answer");
            }
        } else if (id(got, to, sizeof to)) {
            if (strstr(got, "\"text\":\"hello\"") == NULL) {
                fprintf(stderr, "mcp: %s\n", got);
                exit(1);
            }
            latencies[done++] = micros() - sent[atoi(to) - 2];
            if (done == count / 4) {
                warm = micros();
            }
        }
    }
    result(listed, latencies, count, warm);
}

static void spawn(char **command, int *in_fd, int *out_fd) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) {
        die("pipe");
    }
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execvp(command[0], command);
        die(command[0]);
    }
    close(to[0]);
    close(from[1]);
    *in_fd = from[0];
    *out_fd = to[1];
}

/* HTTP. */
struct connection {
    int fd, port, from, count;
    char session[256];
    int64_t *latencies;
};

static void dial(struct connection *c) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) != 0) {
        die("connect");
    }
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* One POST, and its answer with the head. */
static void post(struct connection *c, const char *body, char *into, size_t size) {
    char head[1024];
    int n = snprintf(
            head,
            sizeof head,
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n%s%s%s\r\n",
            strlen(body),
            c->session[0] ? "Mcp-Session-Id: " : "",
            c->session,
            c->session[0] ? "\r\n" : "");
    char request[2048];
    n = snprintf(request, sizeof request, "%s%s", head, body);
    put(c->fd, request, (size_t)n);
    size_t have = 0;
    for (;;) {
        ssize_t got = read(c->fd, into + have, size - 1 - have);
        if (got <= 0) {
            die("no answer over HTTP");
        }
        have += (size_t)got;
        into[have] = 0;
        char *end = strstr(into, "\r\n\r\n");
        if (end == NULL) {
            continue;
        }
        char *length = strcasestr(into, "content-length:");
        if (length != NULL && length < end) {
            if (have - (size_t)(end + 4 - into) >= (size_t)atol(length + 15)) {
                return;
            }
        } else if (strncmp(into, "HTTP/1.1 202", 12) == 0
                   || (have > 5 && strcmp(into + have - 5, "0\r\n\r\n") == 0)) {
            return;
        }
    }
}

static void *drive(void *of) {
    struct connection *c = of;
    static __thread char answered[LINE_MAX_BYTES];
    dial(c);
    for (int i = 0; i < c->count; i++) {
        char line[512];
        call_message(line, sizeof line, c->from + i + 2);
        int64_t at = micros();
        post(c, line, answered, sizeof answered);
        if (strstr(answered, "hello") == NULL) {
            fprintf(stderr, "mcp: %s\n", answered);
            exit(1);
        }
        c->latencies[i] = micros() - at;
    }
    return NULL;
}

/* A thread and a connection for each in flight. */
static void drive_all(const struct connection *like, int64_t *latencies, int count, int width) {
    static struct connection all[WIDTH_MAX];
    pthread_t threads[WIDTH_MAX];
    for (int i = 0; i < width; i++) {
        all[i] = *like;
        all[i].from = count * i / width;
        all[i].count = count * (i + 1) / width - all[i].from;
        all[i].latencies = latencies + all[i].from;
        if (pthread_create(&threads[i], NULL, drive, &all[i]) != 0) {
            die("pthread_create");
        }
    }
    for (int i = 0; i < width; i++) {
        pthread_join(threads[i], NULL);
        close(all[i].fd);
    }
}

static void http(int port, int count, int width) {
    static char answered[LINE_MAX_BYTES];
    int64_t *latencies = calloc((size_t)count, sizeof *latencies);
    struct connection first = {.port = port};
    char line[512];
    dial(&first);
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",%s}",
             CLIENT);
    post(&first, line, answered, sizeof answered);
    char *session = strcasestr(answered, "mcp-session-id:");
    if (session != NULL) {
        sscanf(session + strlen("mcp-session-id:"), " %255[^\r]", first.session);
    }
    post(&first, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", answered,
         sizeof answered);
    post(&first, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", answered,
         sizeof answered);
    int64_t listed = micros();
    drive_all(&first, latencies, count / 4, width);
    int64_t warm = micros();
    drive_all(&first, latencies + count / 4, count - count / 4, width);
    result(listed, latencies, count, warm);
}

static void syncs(const char *path, int count) {
    char event[EVENT_BYTES];
    int64_t *latencies = calloc((size_t)count, sizeof *latencies);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) {
        die(path);
    }
    memset(event, 'x', sizeof event);
    event[sizeof event - 1] = '\n';
    int64_t begin = micros(), warm = begin;
    for (int i = 0; i < count; i++) {
        int64_t at = micros();
        put(fd, event, sizeof event);
        if (fsync(fd) != 0) {
            die("fsync");
        }
        latencies[i] = micros() - at;
        if (i + 1 == count / 4) {
            warm = micros();
        }
    }
    result(begin, latencies, count, warm);
}

int main(int argc, char **argv) {
    started = micros();
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "serve") == 0 && argc > 2) {
        serve(atoll(argv[2]), argc > 4 ? atoll(argv[3]) : 0, argc > 4 ? argv[4] : NULL);
    } else if (strcmp(what, "calls") == 0 && argc > 3) {
        int in_fd = STDIN_FILENO, out_fd = STDOUT_FILENO;
        if (argc > 4) {
            spawn(argv + 4, &in_fd, &out_fd);
        }
        calls(atoi(argv[2]), atoi(argv[3]), in_fd, out_fd);
    } else if (strcmp(what, "http") == 0 && argc == 5 && atoi(argv[4]) <= WIDTH_MAX) {
        http(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    } else if (strcmp(what, "syncs") == 0 && argc == 4) {
        syncs(argv[2], atoi(argv[3]));
    } else {
        errno = EINVAL;
        die("serve, calls, http or syncs");
    }
    return 0;
}
