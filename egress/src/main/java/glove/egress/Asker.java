package glove.egress;

import glove.sys.IpAddress;

import java.util.List;

/** Who waits for the addresses of a name. Told on the thread of the proxy, once. */
interface Asker {
    /** All there are; none when the name has none. */
    void resolved(List<IpAddress> addresses);

    /** This machine could not even ask. */
    void unresolvable();
}
