/**
 * From a profile to a launch plan to a contained process.
 *
 * <p>Here belong what is visible and granted, what is protected, ids, filters, Landlock, the steps
 * of a plan (pure), and handing it to the launcher.
 *
 * <p>Here may not be: command lines, terminals, the audit log, the way out, or tools. What holds
 * while a run lasts is {@code glove.app}'s. Steps name system calls; the launcher obeys and decides
 * nothing.
 */
package glove.sandbox;
