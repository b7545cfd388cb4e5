package glove.egress;

import glove.sys.IpAddress;

import java.util.Arrays;

/**
 * What an address leads to, by the registries of special-purpose addresses (RFC 6890 and its
 * updates). An address that carries an IPv4 address, as mapped, 6to4 and NAT64 ones do, is of the
 * class of what it carries. Of IPv6, only what is assigned for the public (2000::/3) is public.
 */
enum AddressClass {
    PUBLIC("a public address", Reach.OPEN),
    LOOPBACK("a loopback address", Reach.BY_NAME),
    PRIVATE("a private address", Reach.BY_NAME),
    SHARED("an address of a provider's own network (CGNAT)", Reach.BY_NAME),
    UNIQUE_LOCAL("a private address (unique local)", Reach.BY_NAME),
    BENCHMARK("an address of test networks", Reach.BY_NAME),
    LINK_LOCAL("a link-local address", Reach.BY_LITERAL),
    METADATA("where the machines of a cloud get their credentials", Reach.BY_LITERAL),
    UNSPECIFIED("no host's address, and means this machine", Reach.BY_LITERAL),
    MULTICAST("a multicast address", Reach.BY_LITERAL),
    BROADCAST("the broadcast address", Reach.BY_LITERAL),
    TRANSITION("an address that tunnels to somewhere else", Reach.BY_LITERAL),
    DOCUMENTATION("an address for examples", Reach.BY_ADDRESS),
    RESERVED("a reserved address", Reach.BY_LITERAL);

    /** Which rules lead there. */
    private enum Reach {
        /** Every rule. */
        OPEN,
        /** Every rule about addresses, as examples have them, and what {@link #BY_NAME} says. */
        BY_ADDRESS,
        /** A rule of {@code --egress-allow-private}, also one about a name. */
        BY_NAME,
        /** A rule of {@code --egress-allow-private} that names the very address. */
        BY_LITERAL
    }

    private static final AddressBlock MAPPED = block("::ffff:0:0/96");
    private static final AddressBlock NAT64 = block("64:ff9b::/96");
    private static final AddressBlock SIX_TO_FOUR = block("2002::/16");
    private static final AddressBlock GLOBAL_UNICAST = block("2000::/3");
    private static final int EMBEDDED_LAST = 12;
    private static final int EMBEDDED_SIX_TO_FOUR = 2;
    private static final int V4_BYTES = 4;

    private final String words;
    private final Reach reach;

    AddressClass(String words, Reach reach) {
        this.words = words;
        this.reach = reach;
    }

    private static AddressBlock block(String text) {
        return AddressBlock.parse(text).orElseThrow();
    }

    /** The class of an address. */
    static AddressClass of(IpAddress address) {
        if (MAPPED.contains(address) || NAT64.contains(address)) {
            return of(embedded(address, EMBEDDED_LAST));
        }
        if (SIX_TO_FOUR.contains(address)) {
            return of(embedded(address, EMBEDDED_SIX_TO_FOUR));
        }
        for (SpecialBlock special : SpecialBlock.ALL) {
            if (special.block().contains(address)) {
                return special.kind();
            }
        }
        return address.isV4() || GLOBAL_UNICAST.contains(address) ? PUBLIC : RESERVED;
    }

    /** The IPv4 address the kernel takes a mapped one for (::ffff:a.b.c.d); else the same. */
    static IpAddress unmapped(IpAddress address) {
        return MAPPED.contains(address) ? embedded(address, EMBEDDED_LAST) : address;
    }

    private static IpAddress embedded(IpAddress address, int at) {
        return IpAddress.of(Arrays.copyOfRange(address.bytes(), at, at + V4_BYTES));
    }

    /** Whether anybody may be sent there. */
    boolean isPublic() {
        return reach == Reach.OPEN;
    }

    /** Whether {@code --egress-allow} with an address may mean it. */
    boolean isOpenToAddresses() {
        return reach == Reach.OPEN || reach == Reach.BY_ADDRESS;
    }

    /**
     * Whether a name granted by {@code --egress-allow-private} may resolve to it; else a rule has
     * to name the address itself.
     */
    boolean isGrantedByName() {
        return reach != Reach.BY_LITERAL;
    }

    /** What it is, to follow "is". */
    String words() {
        return words;
    }
}
