/**
 * Which tools an agent may call, and with what arguments: rules, decisions, and the reason of each.
 *
 * <p>Here may not be: files, clocks, threads, or the protocol the calls come by. A decision depends
 * on its arguments alone, so that {@code glove tools test} and the gateway decide the same. It is
 * the only package that sees RE2/J.
 */
package glove.policy;
