/**
 * What tests of all packages share: failing and dying system calls, whoever may run what (lanes,
 * identities), seeded data, what was left behind, and the rules of the repository as tests.
 *
 * <p>Here may not be: anything a program needs that is not a test.
 */
package glove.testkit;
