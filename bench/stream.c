/*
 * Both ends of bench/egress, and a relay to compare with. Single-purpose: fails loudly, decides
 * nothing. All on loopback.
 *   stream serve PORT               sends as many bytes as a client asks for, or takes them
 *   stream relay PORT TARGET        one hop: accepts, connects, splices both ways, a process each
 *   stream get PORT BYTES [PROXY]   bytes a second, received; through a proxy by CONNECT
 *   stream put PORT BYTES [PROXY]   bytes a second, sent
 *   stream connects PORT N [PROXY]  N times until the first byte of an answer: sorted microseconds
 *   stream hold PORT N [PROXY]      opens N, says "held", and keeps them until stdin ends
 * PROXY is port[:credential], the credential in base64.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (256 << 10)

static char chunk[CHUNK];

static void die(const char *what) {
    fprintf(stderr, "stream: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int listener(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    struct sockaddr_in address = loopback(port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 4096) != 0) {
        die("listen");
    }
    return fd;
}

static int connected(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    struct sockaddr_in address = loopback(port);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        die("connect");
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void write_all(int fd, const void *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t n = write(fd, (const char *)bytes + at, length - at);
        if (n <= 0) {
            die("write");
        }
        at += (size_t)n;
    }
}

static void read_all(int fd, void *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t n = read(fd, (char *)bytes + at, length - at);
        if (n <= 0) {
            die("read");
        }
        at += (size_t)n;
    }
}

/* Straight, or by CONNECT through a proxy that answers 200. */
static int reach(int port, const char *proxy) {
    if (proxy == NULL) {
        return connected(port);
    }
    const char *credential = strchr(proxy, ':');
    int fd = connected(atoi(proxy));
    char head[1024];
    int length = snprintf(head, sizeof head,
        "CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s%s\r\n", port, port,
        credential ? "Proxy-Authorization: Basic " : "", credential ? credential + 1 : "",
        credential ? "\r\n" : "");
    write_all(fd, head, (size_t)length);
    size_t at = 0;
    while (at < 4 || memcmp(head + at - 4, "\r\n\r\n", 4) != 0) {
        if (at == sizeof head) {
            die("a long answer");
        }
        read_all(fd, head + at, 1);
        at++;
    }
    if (memcmp(head + 8, " 200", 4) != 0) {
        fprintf(stderr, "stream: %.*s\n", (int)at, head);
        exit(1);
    }
    return fd;
}

/* An order is a letter and a number of bytes: 'g' to be sent them, 'p' to take them. */
struct order {
    char letter;
    int64_t bytes;
} __attribute__((packed));

static void fulfil(int fd) {
    struct order order;
    for (;;) {
        for (size_t at = 0; at < sizeof order;) {
            ssize_t n = read(fd, (char *)&order + at, sizeof order - at);
            if (n <= 0) {
                return;
            }
            at += (size_t)n;
        }
        for (int64_t left = order.bytes; left > 0;) {
            size_t some = left < CHUNK ? (size_t)left : CHUNK;
            ssize_t n = order.letter == 'g' ? write(fd, chunk, some) : read(fd, chunk, some);
            if (n <= 0) {
                return;
            }
            left -= n;
        }
        if (order.letter == 'p' && write(fd, "k", 1) != 1) {
            return;
        }
    }
}

static void serve(int port) {
    int fd = listener(port);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int client = accept(fd, NULL, NULL);
        if (client >= 0 && fork() == 0) {
            close(fd);
            fulfil(client);
            _exit(0);
        }
        close(client);
    }
}

static void pass(int from, int to) {
    int pipes[2];
    if (pipe(pipes) != 0) {
        die("pipe");
    }
    fcntl(pipes[0], F_SETPIPE_SZ, CHUNK);
    for (;;) {
        ssize_t n = splice(from, NULL, pipes[1], NULL, CHUNK, SPLICE_F_MOVE);
        if (n <= 0) {
            break;
        }
        while (n > 0) {
            ssize_t m = splice(pipes[0], NULL, to, NULL, (size_t)n, SPLICE_F_MOVE);
            if (m <= 0) {
                _exit(0);
            }
            n -= m;
        }
    }
    shutdown(to, SHUT_WR);
}

static void relay(int port, int target) {
    int fd = listener(port);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int client = accept(fd, NULL, NULL);
        if (client >= 0 && fork() == 0) {
            int server = connected(target);
            if (fork() == 0) {
                pass(client, server);
            } else {
                pass(server, client);
            }
            _exit(0);
        }
        close(client);
    }
}

static void transfer(char letter, int port, int64_t bytes, const char *proxy) {
    int fd = reach(port, proxy);
    struct order order = {letter, bytes};
    double begin = seconds();
    write_all(fd, &order, sizeof order);
    for (int64_t left = bytes; left > 0;) {
        size_t some = left < CHUNK ? (size_t)left : CHUNK;
        ssize_t n = letter == 'g' ? read(fd, chunk, some) : write(fd, chunk, some);
        if (n <= 0) {
            die("transfer");
        }
        left -= n;
    }
    if (letter == 'p') {
        read_all(fd, chunk, 1);
    }
    printf("%.0f\n", (double)bytes / (seconds() - begin));
}

static int by_size(const void *a, const void *b) {
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one > other) - (one < other);
}

static void connects(int port, int count, const char *proxy) {
    double *times = calloc((size_t)count, sizeof(double));
    struct order order = {'g', 1};
    for (int i = 0; i < count; i++) {
        double begin = seconds();
        int fd = reach(port, proxy);
        write_all(fd, &order, sizeof order);
        read_all(fd, chunk, 1);
        times[i] = (seconds() - begin) * 1e6;
        close(fd);
    }
    qsort(times, (size_t)count, sizeof(double), by_size);
    for (int i = 0; i < count; i++) {
        printf("%.0f\n", times[i]);
    }
}

static void hold(int port, int count, const char *proxy) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < count; i++) {
        reach(port, proxy);
    }
    printf("held\n");
    fflush(stdout);
    while (read(0, chunk, 1) > 0) {
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    if (argc < 3) {
        fprintf(stderr, "stream: see its head\n");
        return 2;
    }
    const char *verb = argv[1];
    int port = atoi(argv[2]);
    int64_t number = argc > 3 ? atoll(argv[3]) : 0;
    const char *proxy = argc > 4 ? argv[4] : NULL;
    if (strcmp(verb, "serve") == 0) {
        serve(port);
    } else if (strcmp(verb, "relay") == 0) {
        relay(port, (int)number);
    } else if (strcmp(verb, "get") == 0) {
        transfer('g', port, number, proxy);
    } else if (strcmp(verb, "put") == 0) {
        transfer('p', port, number, proxy);
    } else if (strcmp(verb, "connects") == 0) {
        connects(port, (int)number, proxy);
    } else if (strcmp(verb, "hold") == 0) {
        hold(port, (int)number, proxy);
    } else {
        return 2;
    }
    return 0;
}
