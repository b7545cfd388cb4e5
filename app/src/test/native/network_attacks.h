/*
 * Attacks on the network, on the sandbox's own network namespace and on process 1, which holds its
 * sockets; part of attacks.c. ENTRY_PORT is where Glove listens for a run with a way out; outside
 * nothing does, so that binding it works.
 */
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/tcp.h>

#define ENTRY_PORT 3128

static int is_refusal(int error) { return error == EPERM || error == ENOSYS; }

/* Whether a socket can be made that no program in here needs: 0, or why none can. */
static int try_socket(int family, int type, int protocol, int *refused) {
    int fd = socket(family, type, protocol);
    if (fd >= 0) {
        close(fd);
        return 0;
    }
    *refused &= is_refusal(errno);
    return -1;
}
/* All families and types but Unix sockets, TCP and netlink's read-only routes. */
static int socket_other_families(void) {
    static const int types[] = {1, 2, 3, 4, 5, 6, 10};
    int refused = 1;
    for (int family = 0; family <= 64; family++) {
        for (int t = 0; t < 7; t++) {
            int known = family == AF_UNIX || family == AF_NETLINK ||
                        ((family == AF_INET || family == AF_INET6) && types[t] == SOCK_STREAM);
            if (!known && try_socket(family, types[t], 0, &refused) == 0) return 0;
        }
    }
    for (int protocol = 1; protocol < 32; protocol++) {
        if (try_socket(AF_NETLINK, SOCK_RAW, protocol, &refused) == 0) return 0;
    }
    return refused ? EPERM : EINVAL;
}
/* ICMP, UDP, DCCP, SCTP, UDP-Lite, MPTCP and all other protocols of the internet families. */
static int socket_other_protocols(void) {
    static const int types[] = {1, 2, 3, 5, 6};
    int refused = 1;
    for (int protocol = 0; protocol <= 300; protocol++) {
        for (int t = 0; t < 5; t++) {
            int tcp = types[t] == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP);
            if (!tcp && (try_socket(AF_INET, types[t], protocol, &refused) == 0 ||
                         try_socket(AF_INET6, types[t], protocol, &refused) == 0)) {
                return 0;
            }
        }
    }
    return refused ? EPERM : EINVAL;
}
static int netlink_sock_diag(void) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG)); }
static int netlink_generic(void) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC)); }
static int dns_query(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) return errno;
    return result(sendto(fd, "query", 5, 0, (void *)&a, sizeof a));
}

/* ---- the namespace's interfaces and routes ---- */
struct request {
    struct nlmsghdr header;
    char rest[128];
};
static void add(struct request *r, const void *data, size_t length) {
    memcpy((char *)r + NLMSG_ALIGN(r->header.nlmsg_len), data, length);
    r->header.nlmsg_len = NLMSG_ALIGN(r->header.nlmsg_len) + (uint32_t)length;
}
static void add_attribute(struct request *r, unsigned short type, const void *data, size_t length) {
    struct rtattr attribute = {(unsigned short)RTA_LENGTH(length), type};
    add(r, &attribute, sizeof attribute);
    add(r, data, length);
}
static int ask_kernel(struct request *r) {
    struct { struct nlmsghdr h; struct nlmsgerr e; char rest[512]; } answer;
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    r->header.nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
    if (fd < 0 || send(fd, r, r->header.nlmsg_len, 0) < 0 || recv(fd, &answer, sizeof answer, 0) < 0) return errno;
    return -answer.e.error;
}
static int netlink_lo_down(void) {
    struct request r = {.header = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = RTM_NEWLINK}};
    struct ifinfomsg link = {.ifi_index = 1, .ifi_change = IFF_UP};
    add(&r, &link, sizeof link);
    return ask_kernel(&r);
}
static int netlink_add_address(void) {
    struct request r = {.header = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = RTM_NEWADDR}};
    struct ifaddrmsg address = {.ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = 1};
    uint32_t ten = htonl(0x0a000001);
    r.header.nlmsg_flags = NLM_F_CREATE;
    add(&r, &address, sizeof address);
    add_attribute(&r, IFA_LOCAL, &ten, sizeof ten);
    return ask_kernel(&r);
}
static int netlink_add_route(void) {
    struct request r = {.header = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = RTM_NEWROUTE}};
    struct rtmsg route = {.rtm_family = AF_INET, .rtm_dst_len = 8, .rtm_table = RT_TABLE_MAIN,
                          .rtm_protocol = RTPROT_STATIC, .rtm_type = RTN_UNREACHABLE};
    uint32_t ten = htonl(0x0a000000);
    r.header.nlmsg_flags = NLM_F_CREATE;
    add(&r, &route, sizeof route);
    add_attribute(&r, RTA_DST, &ten, sizeof ten);
    return ask_kernel(&r);
}
static int netlink_add_interface(void) {
    struct request r = {.header = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = RTM_NEWLINK}};
    struct ifinfomsg link = {0};
    struct rtattr kind = {RTA_LENGTH(5), IFLA_INFO_KIND};
    char info[12];
    memcpy(info, &kind, sizeof kind);
    memcpy(info + sizeof kind, "dummy", 5);
    r.header.nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
    add(&r, &link, sizeof link);
    add_attribute(&r, IFLA_LINKINFO, info, sizeof kind + 5);
    return ask_kernel(&r);
}
static int ioctl_lo_down(void) {
    struct ifreq request = {.ifr_name = "lo"};
    return result(ioctl(socket(AF_UNIX, SOCK_STREAM, 0), SIOCSIFFLAGS, &request));
}
static int sysctl_net(void) { return open_for("/proc/sys/net/ipv4/ip_forward", O_WRONLY); }

/* ---- sockets that are allowed with a way out ---- */
static int set_option(int level, int option) {
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    return result(setsockopt(fd, level, option, &one, sizeof one));
}
static int inet_mark(void) { return set_option(SOL_SOCKET, SO_MARK); }
static int inet_transparent(void) { return set_option(SOL_IP, 19 /* IP_TRANSPARENT */); }
static int inet_repair(void) { return set_option(SOL_TCP, TCP_REPAIR); }
static int inet_fast_open(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(env("PORT"))), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    return result(sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (void *)&a, sizeof a));
}
/* Listens where Glove does, with every option that shares a port. */
static int listen_too(int family, const void *address, socklen_t length) {
    int one = 1, fd = socket(family, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, address, length) < 0) return errno;
    return result(listen(fd, 1));
}
static int listen_on_entry(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(ENTRY_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return listen_too(AF_INET, &a, sizeof a);
}
static int listen_on_entry_everywhere(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(ENTRY_PORT)};
    return listen_too(AF_INET, &a, sizeof a);
}
static int listen_on_entry_both_families(void) {
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(ENTRY_PORT)};
    return listen_too(AF_INET6, &a, sizeof a);
}
static int listen_on_entry_mapped(void) {
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(ENTRY_PORT)};
    a.sin6_addr.s6_addr[10] = a.sin6_addr.s6_addr[11] = 0xff;
    a.sin6_addr.s6_addr[12] = 127;
    a.sin6_addr.s6_addr[15] = 1;
    return listen_too(AF_INET6, &a, sizeof a);
}

/* ---- process 1, which holds sockets and the way to who reads them ---- */
static int stop_init(void) { return result(kill(1, SIGSTOP)); }
static int ptrace_init(void) { return result(ptrace(PTRACE_SEIZE, 1, 0, 0)); }
static int vm_write_init(void) {
    struct iovec local = {memory, 8}, remote = {memory, 8};
    return past(process_vm_writev(1, &local, 1, &remote, 1, 0));
}
static int pidfd_getfd_init(void) { return result(syscall(438, syscall(434, 1, 0), 0, 0)); }
static int kcmp_init(void) { return result(syscall(SYS_kcmp, getpid(), 1, 0, 0, 0)); }
static int prlimit_init(void) {
    struct rlimit limit = {3, 3};
    return result(syscall(SYS_prlimit64, 1, RLIMIT_NOFILE, &limit, NULL));
}

#define NETWORK_ATTACKS \
    A(socket_other_families), A(socket_other_protocols), A(netlink_sock_diag), A(netlink_generic), \
    A(dns_query), A(netlink_lo_down), A(netlink_add_address), A(netlink_add_route), \
    A(netlink_add_interface), A(ioctl_lo_down), A(sysctl_net), A(inet_mark), A(inet_transparent), \
    A(inet_repair), A(inet_fast_open), A(listen_on_entry), A(listen_on_entry_everywhere), \
    A(listen_on_entry_both_families), A(listen_on_entry_mapped), A(stop_init), A(ptrace_init), \
    A(vm_write_init), A(pidfd_getfd_init), A(kcmp_init), A(prlimit_init)
