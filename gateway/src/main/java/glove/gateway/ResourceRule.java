package glove.gateway;

/**
 * Resources of an upstream an agent may see. Immutable.
 *
 * @param upstream its name
 * @param prefix what their URIs are or begin with, up to a separator; empty for all it lists
 */
public record ResourceRule(String upstream, String prefix) {}
