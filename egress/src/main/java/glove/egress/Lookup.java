package glove.egress;

import glove.sys.IpAddress;

import java.util.List;

/** One name being resolved. The answer is written before it is handed over by {@link Lookups}. */
final class Lookup {
    private final HostName name;
    private final Opening asker;
    private volatile boolean cancelled;
    private List<IpAddress> answer = List.of();

    Lookup(HostName name, Opening asker) {
        this.name = name;
        this.asker = asker;
    }

    /** Nobody waits for it any more. */
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** On a thread that may block. */
    void resolve(Resolver resolver) {
        answer = resolver.resolve(name);
    }

    /** On the thread of the proxy. */
    void tell() {
        if (!cancelled) {
            asker.resolved(answer);
        }
    }
}
