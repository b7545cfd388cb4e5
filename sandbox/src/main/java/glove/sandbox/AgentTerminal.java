package glove.sandbox;

/**
 * A terminal of the agent's own, made inside: the caller's is out of its reach, and job control
 * works as in any session (pty(7)). Immutable; the arrays are not to be changed.
 *
 * @param attributes how it behaves at first: the kernel's struct termios
 * @param windowSize its size at first: struct winsize
 * @param standardError whether standard error is this terminal too, beside input and output
 */
@SuppressWarnings("ArrayRecordComponent") // structures of the kernel, never compared
public record AgentTerminal(byte[] attributes, byte[] windowSize, boolean standardError) {}
