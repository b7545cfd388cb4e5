package glove.egress;

/** A block of addresses that is not public. Immutable. */
final class SpecialBlock {
    /** The first that matches decides: narrow ones stand before what they lie in. */
    static final SpecialBlock[] ALL = {
        block("100.100.100.200/32", AddressClass.METADATA), // Alibaba
        block("168.63.129.16/32", AddressClass.METADATA), // Azure; by its number public
        block("169.254.169.0/24", AddressClass.METADATA), // .254 nearly everywhere
        block("169.254.170.0/24", AddressClass.METADATA), // containers and pods of AWS
        block("192.0.0.192/32", AddressClass.METADATA), // Oracle
        block("0.0.0.0/8", AddressClass.UNSPECIFIED),
        block("10.0.0.0/8", AddressClass.PRIVATE),
        block("100.64.0.0/10", AddressClass.SHARED),
        block("127.0.0.0/8", AddressClass.LOOPBACK),
        block("169.254.0.0/16", AddressClass.LINK_LOCAL),
        block("172.16.0.0/12", AddressClass.PRIVATE),
        block("192.0.0.0/24", AddressClass.RESERVED),
        block("192.0.2.0/24", AddressClass.DOCUMENTATION),
        block("192.88.99.0/24", AddressClass.TRANSITION), // relays of 6to4
        block("192.168.0.0/16", AddressClass.PRIVATE),
        block("198.18.0.0/15", AddressClass.BENCHMARK),
        block("198.51.100.0/24", AddressClass.DOCUMENTATION),
        block("203.0.113.0/24", AddressClass.DOCUMENTATION),
        block("224.0.0.0/4", AddressClass.MULTICAST),
        block("255.255.255.255/32", AddressClass.BROADCAST),
        block("240.0.0.0/4", AddressClass.RESERVED),
        block("fd00:ec2::/32", AddressClass.METADATA), // AWS
        block("fd20:ce::/32", AddressClass.METADATA), // Google
        block("fd00:c1::/32", AddressClass.METADATA), // Oracle
        block("::/128", AddressClass.UNSPECIFIED),
        block("::1/128", AddressClass.LOOPBACK),
        block("64:ff9b:1::/48", AddressClass.TRANSITION), // NAT64 of one's own network
        block("2001::/32", AddressClass.TRANSITION), // Teredo
        block("2001::/23", AddressClass.RESERVED), // for protocols
        block("2001:db8::/32", AddressClass.DOCUMENTATION),
        block("3fff::/20", AddressClass.DOCUMENTATION),
        block("fc00::/7", AddressClass.UNIQUE_LOCAL),
        block("fec0::/10", AddressClass.PRIVATE), // site-local, of old
        block("fe80::/10", AddressClass.LINK_LOCAL),
        block("ff00::/8", AddressClass.MULTICAST),
    };

    private final AddressBlock block;
    private final AddressClass kind;

    private SpecialBlock(AddressBlock block, AddressClass kind) {
        this.block = block;
        this.kind = kind;
    }

    private static SpecialBlock block(String text, AddressClass kind) {
        return new SpecialBlock(AddressBlock.parse(text).orElseThrow(), kind);
    }

    AddressBlock block() {
        return block;
    }

    AddressClass kind() {
        return kind;
    }
}
