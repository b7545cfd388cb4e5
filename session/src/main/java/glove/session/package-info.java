/**
 * What the daemon knows of sessions: the registry, its states, its records, its replay; and what it
 * needs of receipts, as interfaces.
 *
 * <p>Here may not be: connections, the launching of anything, exposures, bundles or the writing of
 * receipts, which are packages beside it and do not read the registry.
 *
 * <p>No daemon launches sessions yet: what reserves, starts and marks one is held to its tests
 * alone.
 */
package glove.session;
