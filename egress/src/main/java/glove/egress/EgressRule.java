package glove.egress;

import glove.sys.IpAddress;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * One host, domain, address or block of addresses, and the ports that are open there. Immutable.
 * Names only match names, and addresses only addresses.
 */
public final class EgressRule {
    static final String ALLOW = "--egress-allow";
    static final String ALLOW_PRIVATE = "--egress-allow-private";
    static final int ANY_PORT = 0;

    /** The port of a rule that says none: that of https. */
    static final int DEFAULT_PORT = 443;

    /** What a rule is about; exactly one of name and block is there. */
    record Subject(
            @Nullable HostName name,
            boolean below,
            @Nullable AddressBlock block) {}

    private final Subject subject;
    private final int port;
    private final boolean mayBePrivate;
    private final String origin;

    EgressRule(Subject subject, int port, boolean mayBePrivate, String origin) {
        this.subject = subject;
        this.port = port;
        this.mayBePrivate = mayBePrivate;
        this.origin = origin;
    }

    /** The name this is about; null for a rule about addresses. */
    @Nullable
    HostName name() {
        return subject.name();
    }

    /** Whether all names below {@link #name} are meant too. */
    boolean isDomain() {
        return subject.below();
    }

    boolean isAboutAddresses() {
        return subject.block() != null;
    }

    /** Whether the port is open for the hosts this is about. */
    boolean opens(int asked) {
        return port == ANY_PORT || port == asked;
    }

    int port() {
        return port;
    }

    /** The first address this is about; a bug for a rule about names. */
    IpAddress address() {
        return Objects.requireNonNull(subject.block(), "about names").first();
    }

    boolean covers(IpAddress address) {
        return subject.block() != null && subject.block().contains(address);
    }

    /** Whether it names this one address and no other. */
    boolean isExactly(IpAddress address) {
        return subject.block() != null
                && subject.block().equals(AddressBlock.of(AddressClass.unmapped(address)));
    }

    /** Whether it comes from {@code --egress-allow-private}. */
    public boolean mayBePrivate() {
        return mayBePrivate;
    }

    /** The option that made it, as it was typed: {@code --egress-allow @npm}. */
    public String origin() {
        return origin;
    }

    /** In canonical form, always with the port: {@code .example.com:443}, {@code [::1]:*}. */
    @Override
    public String toString() {
        String port = this.port == ANY_PORT ? ":*" : ":" + this.port;
        if (subject.block() == null) {
            return (subject.below() ? "." : "") + subject.name() + port;
        }
        AddressBlock block = subject.block();
        IpAddress first = block.first();
        String text = isExactly(first) ? first.toString() : block.toString();
        return (first.isV4() ? text : "[" + text + "]") + port;
    }

    /** Whether both open the same ports of the same hosts. */
    boolean isSameAs(EgressRule other) {
        return toString().equals(other.toString());
    }
}
