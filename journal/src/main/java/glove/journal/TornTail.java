package glove.journal;

import glove.sys.UnixPath;

/**
 * What an interrupted write had left at the end of a log, and where it lies now. It was never
 * acknowledged to anybody. Immutable.
 *
 * @param offset where it began in the log, which now ends there
 * @param bytes how many there were
 * @param setAside the owner-only file that holds them
 */
public record TornTail(long offset, int bytes, UnixPath setAside) {}
