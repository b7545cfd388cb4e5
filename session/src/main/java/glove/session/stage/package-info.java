/**
 * What a session left behind: looking through a retained tree without following or trusting
 * anything in it, in bounded time and memory.
 *
 * <p>Here may not be: changes to that tree.
 */
package glove.session.stage;
