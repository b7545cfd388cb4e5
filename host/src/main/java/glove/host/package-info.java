/**
 * The daemon {@code gloved}: configuration, control protocol, its loop, workers and end; and the
 * client the owner's verbs use.
 *
 * <p>Here belong connections, deadlines, authentication, and which parts of the session packages
 * answer which method.
 *
 * <p>Here may not be: formats of files but its own configuration (they are {@code session}'s and
 * {@code journal}'s), rules of policies, or a system call that is not in {@code glove.sys}. A
 * connection belongs to the loop alone; workers get a request and give an answer.
 */
package glove.host;
