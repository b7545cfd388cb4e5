/*
 * Glove's own programs inside a sandbox, one file under several names in /run/glove/bin.
 *
 *   glove-connect HOST PORT    joins standard input and output with HOST:PORT, through the entry of
 *                              Glove's proxy that asks for no credential: for clients that reach
 *                              the network by a command (ProxyCommand of ssh_config(5), git)
 *   glove-mcp                  joins them with the gateway to the run's tools: the one MCP server
 *                              to configure in an agent; ends the last line if need be
 *
 * It has no rights of its own: the agent could send the same bytes. What the proxy refuses it says
 * on standard error, in the proxy's words. Exit status: 0 done, 1 refused or lost, 2 bad arguments.
 * The C library is used for nothing but start-up and system call wrappers: no allocation, no stdio.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PROXY_PORT 1080
#define GATEWAY "/run/glove/mcp.sock"
#define HOST_BYTES_MAX 253
#define PORT_DIGITS_MAX 5
#define DIGITS "0123456789"
#define OF_HOSTS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.:_-" DIGITS
#define PIECE_BYTES 4096     /* PIPE_BUF: a pipe that can be written to takes it without waiting */

static const char *own_name = "";

/* A pipe takes so little whole; and where nobody reads it there is nobody to tell. */
static void say(const char *text, size_t length) {
    if (write(STDERR_FILENO, text, length) < 0) {
        return;
    }
}

static void say_text(const char *text) {
    say(text, strlen(text));
}

static _Noreturn void die(int status, const char *sentence) {
    say_text(own_name);
    say_text(": ");
    say_text(sentence);
    say_text("\n");
    _exit(status);
}

static int consists_of(const char *text, const char *characters, size_t most) {
    size_t length = strlen(text);
    return length > 0 && length <= most && strspn(text, characters) == length;
}

static char *append(char *to, const char *text) {
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static int connected(const void *to, socklen_t length, const char *otherwise) {
    struct timeval patience = {.tv_sec = 120}; /* the proxy's own bounds are shorter */
    int fd = socket(((const struct sockaddr *)to)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0) {
        die(1, "the system gives no socket: too many files are open, or there is no memory");
    }
    if (connect(fd, to, length) < 0) {
        die(1, otherwise);
    }
    return fd;
}

/* With a timeout it is interrupted by a stop and a continuation, too (signal(7)). */
static ssize_t receive(int from, char *to, size_t most) {
    ssize_t n;
    do {
        n = recv(from, to, most, 0);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Ends without a word only when the other side has gone, which whoever reads sees by himself. */
static _Noreturn void lose(void) {
    if (errno == EPIPE || errno == ECONNRESET) {
        _exit(1);
    }
    die(1, "the connection, standard input or standard output failed, or there is no memory");
}

static int connect_to_proxy(void) {
    struct sockaddr_in proxy = {.sin_family = AF_INET,
                                .sin_port = htons(PROXY_PORT),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connected(&proxy, sizeof proxy,
                     "no proxy answers here: this run was not let out (--egress-allow HOST)");
}

static int connect_to_gateway(void) {
    struct sockaddr_un gateway = {.sun_family = AF_UNIX, .sun_path = GATEWAY};
    return connected(&gateway, sizeof gateway,
                     "no gateway to tools answers here: this is no 'glove run'");
}

static void ask(int proxy, const char *host, const char *port) {
    char authority[HOST_BYTES_MAX + PORT_DIGITS_MAX + 4];
    char request[2 * sizeof authority + 64];
    int v6 = strchr(host, ':') != NULL;
    char *end = append(append(append(authority, v6 ? "[" : ""), host), v6 ? "]:" : ":");
    *append(end, port) = 0;
    end = append(append(append(request, "CONNECT "), authority), " HTTP/1.1\r\nHost: ");
    end = append(append(end, authority), "\r\n\r\n");
    /* Far less than a fresh connection's buffer: taken whole. */
    ssize_t n;
    do {
        n = send(proxy, request, (size_t)(end - request), MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    if (n != end - request) {
        die(1, "the proxy closed the connection");
    }
}

struct way {
    int from, to;
    int over;
    int of_lines, in_line; /* the gateway drops a last one that has no end */
    size_t start, end;
    char bytes[16 * PIECE_BYTES];
};

/* Reads the answer into the way back: what follows the head of a good one stays there. */
static void heed_answer(struct way *back) {
    const char *body = NULL;
    while (body == NULL && back->end < sizeof back->bytes) {
        ssize_t n = receive(back->from, back->bytes + back->end, sizeof back->bytes - back->end);
        if (n <= 0) {
            die(1, "the proxy closed the connection, or was silent, without an answer");
        }
        back->end += (size_t)n;
        body = memmem(back->bytes, back->end, "\r\n\r\n", 4);
    }
    if (body == NULL || memcmp(back->bytes, "HTTP/1.", 7) != 0) {
        die(1, "what answers here is no proxy");
    }
    back->start = (size_t)(body + 4 - back->bytes);
    if (memcmp(back->bytes + 8, " 200", 4) == 0) {
        return;
    }
    ssize_t n;
    while ((n = receive(back->from, back->bytes + back->end, sizeof back->bytes - back->end)) > 0) {
        back->end += (size_t)n;
    }
    say_text(own_name);
    say_text(": ");
    say(back->bytes + back->start, back->end - back->start);
    say("\n", back->bytes[back->end - 1] != '\n');
    _exit(1);
}

static void end(struct way *way) {
    way->over = 1;
    if (way->to == STDOUT_FILENO) {
        close(STDOUT_FILENO);
    } else if (shutdown(way->to, SHUT_WR) < 0 && errno != ENOTCONN) {
        lose(); /* or the other side would wait for an end for ever */
    }
}

static void pass(struct way *way) {
    size_t length = way->end - way->start;
    const char *from = way->bytes + way->start;
    ssize_t n = way->to == STDOUT_FILENO
                    ? write(way->to, from, length < PIECE_BYTES ? length : PIECE_BYTES)
                    : send(way->to, from, length, MSG_DONTWAIT);
    if (n > 0) {
        way->start += (size_t)n;
    } else if (errno != EINTR && errno != EAGAIN) {
        lose();
    }
}

static void take(struct way *way) {
    ssize_t n = read(way->from, way->bytes, sizeof way->bytes);
    if (n == 0 && way->in_line) { /* the end is read once more behind it */
        way->bytes[0] = '\n';
        n = 1;
    }
    way->in_line = way->of_lines && (n > 0 ? way->bytes[n - 1] != '\n' : way->in_line);
    way->start = 0;
    way->end = n > 0 ? (size_t)n : 0;
    if (n == 0) {
        end(way);
    } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
        lose();
    } else if (n > 0 && way->to != STDOUT_FILENO) {
        pass(way); /* waits for nothing, so nobody need be asked whether it would */
    }
}

/* Until both directions have ended. Who has gone altogether is noticed though nothing moves. */
static void relay(struct way *out, struct way *back) {
    struct way *ways[2] = {out, back};
    while (!out->over || !back->over) {
        struct pollfd fds[3] = {{.fd = -1}, {.fd = -1}, {.fd = back->over ? back->from : back->to}};
        for (int i = 0; i < 2; i++) {
            int empty = ways[i]->start == ways[i]->end;
            if (!ways[i]->over) {
                fds[i].fd = empty ? ways[i]->from : ways[i]->to;
                fds[i].events = empty ? POLLIN : POLLOUT;
            }
        }
        int n = poll(fds, 3, -1);
        if (n < 0 && errno != EINTR) {
            lose();
        }
        if (fds[2].revents != 0) {
            _exit(1);
        }
        for (int i = 0; i < 2; i++) {
            if (fds[i].revents != 0) {
                (ways[i]->start == ways[i]->end ? take : pass)(ways[i]);
            }
        }
    }
}

int main(int argc, char **argv) {
    static struct way out, back;
    own_name = basename(argc < 1 ? "" : argv[0]);
    signal(SIGPIPE, SIG_IGN);
    if (strcmp(own_name, "glove-mcp") == 0 && argc == 1) {
        out.to = back.from = connect_to_gateway();
        out.of_lines = 1;
    } else if (strcmp(own_name, "glove-connect") == 0 && argc == 3 &&
               consists_of(argv[1], OF_HOSTS, HOST_BYTES_MAX) &&
               consists_of(argv[2], DIGITS, PORT_DIGITS_MAX)) {
        out.to = back.from = connect_to_proxy();
        ask(out.to, argv[1], argv[2]);
        heed_answer(&back);
    } else {
        die(2, "usage: glove-connect HOST PORT (ProxyCommand of ssh: %h %p), or: glove-mcp");
    }
    out.from = STDIN_FILENO;
    back.to = STDOUT_FILENO;
    relay(&out, &back);
    return 0;
}
