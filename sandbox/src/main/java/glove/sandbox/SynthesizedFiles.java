package glove.sandbox;

/** Configuration files made for every sandbox, so that none of the host's is shown. Data. */
final class SynthesizedFiles {
    private static final String PASSWD = """
            root:x:0:0:root:/nonexistent:/usr/sbin/nologin
            agent:x:1000:1000:agent:/home/agent:/bin/sh
            nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
            """;

    private static final String GROUP = """
            root:x:0:
            tty:x:5:
            agent:x:1000:
            nogroup:x:65534:
            """;

    private static final String HOSTS = """
            127.0.0.1 localhost glove
            ::1 localhost glove
            """;

    private static final String NSSWITCH = """
            passwd: files
            group: files
            shadow: files
            hosts: files
            networks: files
            protocols: files
            services: files
            ethers: files
            rpc: files
            """;

    /** Path, content. */
    static final String[][] CONTENT = {
        {"/etc/passwd", PASSWD},
        {"/etc/group", GROUP},
        {"/etc/hostname", "glove\n"},
        {"/etc/hosts", HOSTS},
        {"/etc/resolv.conf", "# This sandbox has no name server.\n"},
        {"/etc/nsswitch.conf", NSSWITCH},
    };

    private SynthesizedFiles() {}
}
