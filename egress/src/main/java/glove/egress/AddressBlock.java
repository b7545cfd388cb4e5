package glove.egress;

import glove.sys.IpAddress;

import java.util.Optional;

/**
 * All addresses that begin with the same bits, as {@code 192.168.0.0/16}. IPv4 and IPv6 addresses
 * have none in common. Immutable.
 */
final class AddressBlock {
    private static final int PREFIX_DIGITS_MAX = 3;

    private final IpAddress base;
    private final byte[] bytes;
    private final int prefix;

    private AddressBlock(IpAddress base, int prefix) {
        this.base = base;
        this.bytes = base.bytes();
        this.prefix = prefix;
    }

    /** The one address. */
    static AddressBlock of(IpAddress address) {
        return new AddressBlock(address, Byte.SIZE * address.bytes().length);
    }

    /** {@code ADDRESS/BITS}; what stands behind the bits may be anything here. */
    static Optional<AddressBlock> parse(String text) {
        int slash = text.indexOf('/');
        Optional<IpAddress> address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (slash < 0 || address.isEmpty()) {
            return Optional.empty();
        }
        int prefix = decimal(text, slash + 1, PREFIX_DIGITS_MAX);
        if (prefix < 0 || prefix > Byte.SIZE * address.get().bytes().length) {
            return Optional.empty();
        }
        return Optional.of(new AddressBlock(address.get(), prefix));
    }

    /** The rest of a text as a number without leading zeros; -1 when it is none. */
    static int decimal(String text, int from, int digitsMax) {
        int digits = text.length() - from;
        if (digits < 1 || digits > digitsMax || (digits > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    /** The same block written by its first address. */
    AddressBlock canonical() {
        byte[] first = new byte[bytes.length];
        for (int i = 0; i < first.length; i++) {
            first[i] = (byte) (bytes[i] & mask(prefix - Byte.SIZE * i));
        }
        return new AddressBlock(IpAddress.of(first), prefix);
    }

    IpAddress first() {
        return base;
    }

    boolean contains(IpAddress address) {
        return contains(address.bytes());
    }

    /** Whether all of the other one lies in this one. */
    boolean contains(AddressBlock other) {
        return other.prefix >= prefix && contains(other.bytes);
    }

    private boolean contains(byte[] address) {
        if (address.length != bytes.length) {
            return false;
        }
        for (int i = 0; Byte.SIZE * i < prefix; i++) {
            if (((address[i] ^ bytes[i]) & mask(prefix - Byte.SIZE * i)) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The leading bits of a byte of which so many count, in all of 0..8 and beyond. */
    private static int mask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= Byte.SIZE ? 0xff : (0xff << (Byte.SIZE - bits)) & 0xff;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressBlock block
                && prefix == block.prefix
                && base.equals(block.base);
    }

    @Override
    public int hashCode() {
        return 31 * base.hashCode() + prefix;
    }

    @Override
    public String toString() {
        return base + "/" + prefix;
    }
}
