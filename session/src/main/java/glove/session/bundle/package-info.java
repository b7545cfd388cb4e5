/**
 * Bundles of libraries in the owner's store, named by their digest and read from a pinned root.
 *
 * <p>Here may not be: sessions, exposures, or a path that came from a plan. No daemon launches
 * sessions yet, so the daemon opens the store and no bundle.
 */
package glove.session.bundle;
