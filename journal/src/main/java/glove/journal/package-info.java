/**
 * State that outlives the process: logs that only grow, files replaced whole, and the audit log.
 *
 * <p>Here belong the order of writes and syncs, exclusive locks, checks of owner and mode, torn
 * ends, group commit, and bounds.
 *
 * <p>Here may not be: what a record says. Whoever owns a log reads its records' bodies; only the
 * lines of the audit log are this package's own.
 */
package glove.journal;
