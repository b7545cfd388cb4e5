package glove.gateway;

/**
 * Something an upstream lists. Immutable.
 *
 * @param name as the upstream has it
 * @param agentName as agents know it: another for tools and prompts, the same for URIs
 * @param definition for agents
 * @param hidden why agents do not see it; empty when they do
 */
record Item(String name, String agentName, byte[] definition, String hidden) {}
