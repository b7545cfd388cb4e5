package glove.egress;

import glove.sys.IpEndpoint;

/**
 * A service of the machine's own loopback that was granted.
 *
 * @param listener where it is to be found inside: the same address and port
 * @param destination what every connection made there asks for
 */
public record LocalService(IpEndpoint listener, Destination destination) {}
