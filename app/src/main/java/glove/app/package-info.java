/**
 * The command line: verbs, their options and help, and what goes along with a run while it lasts
 * (terminal, limits, watches, sockets, the way out, tools).
 *
 * <p>Here belong sentences for people, exit statuses, and the wiring of all other packages.
 *
 * <p>Here may not be: what another program could want to ask without a command line. On the way of
 * {@code exec} the JVM interprets, so what that runs uses plain loops and few classes.
 */
package glove.app;
