/**
 * How sessions ended, signed and chained, and the pager that hands receipts out.
 *
 * <p>Here may not be: the registry. The half that checks a journal needs its key and nothing of
 * this machine, for strangers use it.
 */
package glove.session.receipt;
