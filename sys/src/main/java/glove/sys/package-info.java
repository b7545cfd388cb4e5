/**
 * The kernel, call by call: the only package that reaches native code.
 *
 * <p>Here belong system calls, the layouts of their structures, descriptors with an owner ({@link
 * glove.sys.OwnedFd}), paths as the kernel's bytes, errno by name, and starting a process without
 * forking the JVM. Each call goes through one seam, at which tests let it fail.
 *
 * <p>Here may not be: a decision. Nothing in it knows of sandboxes, policies or files of Glove's,
 * retries what failed (but for EINTR), or prints.
 */
package glove.sys;
