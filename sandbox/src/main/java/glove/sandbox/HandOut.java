package glove.sandbox;

import glove.sys.IpEndpoint;

import java.util.Optional;

/**
 * A descriptor that a plan's steps send outside, once.
 *
 * @param knownAs the number it comes with
 * @param listener what it listens on, when it is to be a TCP listener
 */
record HandOut(int knownAs, Optional<IpEndpoint> listener) {}
