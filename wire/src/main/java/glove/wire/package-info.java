/**
 * What leaves the process or comes from outside, as bytes: strict JSON in and out, lines, the
 * encodings digests cover, identifiers.
 *
 * <p>Here belong readers that refuse all but one spelling, with a place and a sentence, and writers
 * whose output is the same each time.
 *
 * <p>Here may not be: files, sockets, clocks, system calls, or what a message means. It is the only
 * package that sees Jackson.
 */
package glove.wire;
