/**
 * What may leave a sandbox, and the proxy that lets it out: rules, names, addresses, the three
 * protocols clients speak, and one event loop.
 *
 * <p>Here may not be: another thread than the loop and those that ask the resolver, a way out that
 * is not recorded first, or knowledge of how a sandbox is built. The audit log is behind an
 * interface.
 */
package glove.egress;
