package glove.sandbox;

/** Configuration files made for every sandbox, so that none of the host's is shown. Data. */
final class SynthesizedFiles {
    /** Path, content. */
    static final String[][] CONTENT = {
        {
            "/etc/passwd",
            "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n"
                    + "agent:x:1000:1000:agent:/home/agent:/bin/sh\n"
                    + "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
        },
        {"/etc/group", "root:x:0:\ntty:x:5:\nagent:x:1000:\nnogroup:x:65534:\n"},
        {"/etc/hostname", "glove\n"},
        {"/etc/hosts", "127.0.0.1 localhost glove\n::1 localhost glove\n"},
        {"/etc/resolv.conf", "# This sandbox has no name server.\n"},
        {
            "/etc/nsswitch.conf",
            "passwd: files\ngroup: files\nshadow: files\nhosts: files\nnetworks: files\n"
                    + "protocols: files\nservices: files\nethers: files\nrpc: files\n"
        },
    };

    private SynthesizedFiles() {}
}
