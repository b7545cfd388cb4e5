package glove.gateway;

/**
 * A directory that upstreams are told of when they ask for roots. Immutable.
 *
 * @param uri {@code file:///...}
 * @param name for people
 */
public record Root(String uri, String name) {}
