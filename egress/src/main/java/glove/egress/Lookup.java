package glove.egress;

import glove.sys.IpAddress;

import java.util.ArrayList;
import java.util.List;

/**
 * One name being resolved, for all who ask meanwhile. The answer is written before it is handed
 * over by {@link Lookups}; the askers are the proxy's thread's alone.
 */
final class Lookup {
    private final HostName name;
    private final List<Asker> askers = new ArrayList<>();
    private List<IpAddress> answer = List.of();
    private boolean failed;

    Lookup(HostName name) {
        this.name = name;
    }

    HostName name() {
        return name;
    }

    void join(Asker asker) {
        askers.add(asker);
    }

    /** Whether nobody waits any more. */
    boolean leave(Asker asker) {
        askers.remove(asker);
        return askers.isEmpty();
    }

    /** On a thread that may block. Want of memory, or of what loads classes, is no answer. */
    void resolve(Resolver resolver) {
        try {
            answer = resolver.resolve(name);
        } catch (VirtualMachineError | LinkageError e) {
            fail();
        }
    }

    /** There will be no answer. */
    void fail() {
        failed = true;
    }

    void tell() {
        for (Asker asker : new ArrayList<>(askers)) {
            if (failed) {
                asker.unresolvable();
            } else {
                asker.resolved(answer);
            }
        }
        askers.clear();
    }
}
