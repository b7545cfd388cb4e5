/**
 * From a profile to a launch plan to a contained process.
 *
 * <p>Here belong what is visible and granted, what is protected and that it stays so, ids, filters,
 * Landlock, control groups, the steps of a plan (pure), and handing it to the launcher.
 *
 * <p>Here may not be: command lines, the caller's terminal, the audit log, the way out, or tools.
 * When to look, and what to do about it, is {@code glove.app}'s. Steps name system calls; the
 * launcher obeys and decides nothing.
 */
package glove.sandbox;
