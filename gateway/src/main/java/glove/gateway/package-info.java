/**
 * The only way from an agent to its tools: the Model Context Protocol to both sides, what passes,
 * what is recorded before it does.
 *
 * <p>Here belong sessions with upstreams and agents, catalogues, pins, subscriptions, and the
 * bounds of each. All of it is confined to one thread; channels are descriptors somebody else
 * opened.
 *
 * <p>Here may not be: the starting of programs, files, or rules about tools, which are {@code
 * glove.policy}'s.
 */
package glove.gateway;
