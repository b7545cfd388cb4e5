package glove.egress;

import glove.sys.IpAddress;

import java.util.List;

/** Finds the addresses of names. May block; used by several threads at once. */
public interface Resolver {
    /** All addresses of a name, in the order they should be tried; empty when it has none. */
    List<IpAddress> resolve(HostName name);
}
