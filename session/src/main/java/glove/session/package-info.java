/**
 * What the daemon knows of sessions: the registry, its states, its records, its replay.
 *
 * <p>Here may not be: connections, the launching of anything, exposures, bundles or receipts, which
 * are packages beside it and know nothing of the registry.
 */
package glove.session;
