/**
 * What of the owner's directories remote controllers may name: exposures, their generations, expiry
 * and taking back, and the roots they are opened from.
 *
 * <p>Here may not be: a path in anything a controller is told, or sessions.
 */
package glove.session.exposure;
