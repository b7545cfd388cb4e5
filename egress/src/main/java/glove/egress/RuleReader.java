package glove.egress;

import glove.sys.IpAddress;

import java.util.Optional;

/**
 * Reads one rule: {@code HOST}, {@code .DOMAIN}, {@code ADDRESS} or {@code ADDRESS/BITS}, and
 * {@code :PORT} or {@code :*}. What cannot be meant is refused with a hint. Immutable.
 */
final class RuleReader {
    private static final int PORT_DIGITS_MAX = 5;
    private static final int NO_PORT = -1;

    private final String option;
    private final boolean mayBePrivate;
    private final String origin;

    /**
     * @param option {@code --egress-allow} or {@code --egress-allow-private}
     * @param origin what the rules will say they come from
     */
    RuleReader(String option, String origin) {
        this.option = option;
        this.mayBePrivate = option.equals(EgressRule.ALLOW_PRIVATE);
        this.origin = origin;
    }

    EgressRule read(String text) throws EgressException {
        refuseWhatIsNoRule(text);
        int portAt = portAt(text);
        int port = portAt < 0 ? NO_PORT : port(text, portAt);
        String host = portAt < 0 ? text : text.substring(0, portAt - 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
            if (host.indexOf(':') < 0) {
                throw refused(text, "only an IPv6 address stands in brackets");
            }
        }
        EgressRule.Subject subject = subject(text, host, port);
        if (mayBePrivate && port <= 0) {
            throw refused(text, "it takes exactly one port", option + " " + host(host) + ":PORT");
        }
        return new EgressRule(
                subject, port == NO_PORT ? EgressRule.DEFAULT_PORT : port, mayBePrivate, origin);
    }

    private void refuseWhatIsNoRule(String text) throws EgressException {
        if (text.isEmpty()) {
            throw refused(text, "it names no host", option + " example.com");
        }
        int scheme = text.indexOf("://");
        if (scheme >= 0) {
            String rest = text.substring(scheme + 3);
            int slash = rest.indexOf('/');
            String host = slash < 0 ? rest : rest.substring(0, slash);
            throw refused(text, "it is a URL, and rules are about hosts", option + " " + host);
        }
        if (text.startsWith("*.")) {
            throw refused(text, "'*' stands for ports only", option + " " + text.substring(1));
        }
        if (text.startsWith("*") || text.equals(".")) {
            throw refused(
                    text,
                    "everything at once cannot be allowed",
                    option + " .example.com for all below");
        }
    }

    /** Where the port begins, or -1: behind brackets, or behind the only colon. */
    private int portAt(String text) throws EgressException {
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            if (close < 0 || (close + 1 < text.length() && text.charAt(close + 1) != ':')) {
                throw refused(text, "a bracket is not closed", option + " [2001:db8::1]:443");
            }
            return close + 1 == text.length() ? -1 : close + 2;
        }
        int colon = text.indexOf(':');
        boolean bareV6 = colon >= 0 && text.indexOf(':', colon + 1) >= 0;
        return colon < 0 || bareV6 ? -1 : colon + 1;
    }

    private int port(String text, int at) throws EgressException {
        if (at + 1 == text.length() && text.charAt(at) == '*') {
            return EgressRule.ANY_PORT;
        }
        int port = AddressBlock.decimal(text, at, PORT_DIGITS_MAX);
        if (port < 1 || port > Destination.PORT_MAX) {
            throw refused(
                    text,
                    "its port is none from 1 to " + Destination.PORT_MAX,
                    option + " " + text.substring(0, at) + EgressRule.DEFAULT_PORT);
        }
        return port;
    }

    private EgressRule.Subject subject(String text, String host, int port) throws EgressException {
        Optional<IpAddress> address = IpAddress.parse(host);
        if (address.isPresent()) {
            AddressBlock one = AddressBlock.of(AddressClass.unmapped(address.get()));
            refusePrivate(text, one, port);
            return new EgressRule.Subject(null, false, one);
        }
        if (host.indexOf('/') >= 0) {
            return new EgressRule.Subject(null, false, block(text, host, port));
        }
        boolean below = host.startsWith(".");
        HostName name = name(text, below ? host.substring(1) : host);
        if (below && mayBePrivate) {
            throw refused(text, "it takes one host, not a domain", option + " " + name + ":PORT");
        }
        if (!mayBePrivate && name.isLocalhost()) {
            throw refused(
                    text,
                    "it is this machine itself",
                    EgressRule.ALLOW_PRIVATE + " " + name + ":" + portWord(port));
        }
        return new EgressRule.Subject(name, below, null);
    }

    private AddressBlock block(String text, String host, int port) throws EgressException {
        Optional<AddressBlock> block = AddressBlock.parse(host);
        if (block.isEmpty()) {
            throw refused(
                    text,
                    "it is neither a host nor a block of addresses",
                    option + " 203.0.113.0/24 or " + option + " example.com, without a path");
        }
        AddressBlock canonical = block.get().canonical();
        if (!canonical.equals(block.get())) {
            throw refused(
                    text,
                    "it has bits set behind the ones that count",
                    option + " " + canonical + ", or the address without '/'");
        }
        if (mayBePrivate) {
            throw refused(text, "it takes one address, not many", option + " ADDRESS:PORT");
        }
        refusePrivate(text, canonical, port);
        return canonical;
    }

    /** A block around private ones is taken: what is private in it stays closed. */
    private void refusePrivate(String text, AddressBlock block, int port) throws EgressException {
        if (mayBePrivate) {
            return;
        }
        AddressClass kind = AddressClass.of(block.first());
        for (SpecialBlock special : SpecialBlock.ALL) {
            if (special.block().contains(block)) {
                kind = special.kind();
                break;
            }
            if (block.contains(special.block())) {
                kind = AddressClass.PUBLIC; // some of it
            }
        }
        if (!kind.isOpenToAddresses()) {
            throw refused(
                    text,
                    "it is " + kind.words(),
                    EgressRule.ALLOW_PRIVATE + " " + host(block.first().toString()) + ":"
                            + portWord(port));
        }
    }

    private static String portWord(int port) {
        return port <= 0 ? "PORT" : Integer.toString(port);
    }

    private static String host(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private HostName name(String text, String host) throws EgressException {
        try {
            return HostName.ofOption(host);
        } catch (EgressException e) {
            throw new EgressException(
                    option + " '" + text + "': " + e.getMessage(),
                    e.hints().toArray(new String[0]));
        }
    }

    private EgressException refused(String text, String why, String... hints) {
        return new EgressException(option + " '" + text + "': " + why, hints);
    }
}
