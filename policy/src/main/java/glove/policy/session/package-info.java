/**
 * What remote controllers may ask of this machine: session plans, session policies, how the two
 * match, and every digest of either; exposure policies.
 *
 * <p>Here may not be: files, clocks, threads, sessions that exist. Looking at the machine for
 * {@code glove policy explain} is {@code glove.app}'s.
 */
package glove.policy.session;
