/*
 * Attacks on names that are guarded inside a writable grant; part of attacks.c. W/guards/N holds the
 * same things for every N (AttackRange.GUARDED), so that an attack that works destroys only its own.
 */
static char *guarded(int n, const char *rest) {
    char below[256];
    snprintf(below, sizeof below, "/guards/%d/%s", n, rest);
    return path("W", below);
}

static int exchange(const char *one, const char *other) {
    return result(syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */));
}

static int guard_write(void) { return open_for(guarded(1, ".git/config"), O_WRONLY); }
static int guard_append(void) { return open_for(guarded(1, ".git/config"), O_WRONLY | O_APPEND); }
static int guard_truncate(void) { return result(truncate(guarded(2, ".git/config"), 0)); }
static int guard_chmod(void) { return result(chmod(guarded(1, ".git/config"), 0777)); }
static int guard_utimes(void) { return result(utimensat(AT_FDCWD, guarded(1, ".git/config"), NULL, 0)); }
static int guard_setxattr(void) { return result(setxattr(guarded(1, ".git/config"), "user.x", "1", 1, 0)); }
static int guard_mmap(void) {
    int fd = open(guarded(1, ".git/config"), O_RDWR);
    if (fd < 0) return errno;
    return mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? errno : 0;
}
static int guard_reopen_by_proc(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", open(guarded(1, ".git/config"), O_RDONLY));
    return open_for(name, O_WRONLY);
}
static int guard_reopen_by_directory(void) {
    int fd = open(guarded(1, ".git"), O_PATH | O_DIRECTORY);
    return result(openat(fd, "../.git/./config", O_WRONLY));
}
static int guard_rename_over(void) { return result(rename(guarded(3, "file"), guarded(3, ".git/config"))); }
static int guard_rename_away(void) { return result(rename(guarded(4, ".git/config"), guarded(4, "c"))); }
static int guard_unlink(void) { return result(unlink(guarded(5, ".git/config"))); }
static int guard_exchange(void) { return exchange(guarded(6, "file"), guarded(6, ".git/config")); }
static int guard_link_out(void) { return result(link(guarded(7, ".git/config"), guarded(7, ".git/other"))); }
static int guard_link_over(void) {
    if (unlink(guarded(8, ".git/config")) < 0) return errno;
    return result(symlink("../file", guarded(8, ".git/config")));
}
static int guard_hook_create(void) { return open_for(guarded(1, ".git/hooks/pre-commit"), O_WRONLY | O_CREAT); }
static int guard_hook_rename_in(void) { return result(rename(guarded(9, "file"), guarded(9, ".git/hooks/post-merge"))); }
static int guard_hook_link_in(void) { return result(link(guarded(1, "file"), guarded(1, ".git/hooks/update"))); }
static int guard_hook_symlink_in(void) { return result(symlink("../../file", guarded(1, ".git/hooks/pre-push"))); }
static int guard_hook_tmpfile(void) {
    char name[64];
    int fd = open(guarded(1, ".git"), O_TMPFILE | O_RDWR, 0755);
    if (fd < 0) return errno;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return result(linkat(AT_FDCWD, name, AT_FDCWD, guarded(1, ".git/hooks/pre-rebase"), AT_SYMLINK_FOLLOW));
}
static int guard_hooks_rename(void) { return result(rename(guarded(10, ".git/hooks"), guarded(10, ".git/h"))); }
static int guard_hooks_remove(void) { return result(rmdir(guarded(11, ".git/hooks"))); }
static int guard_hooks_exchange(void) { return exchange(guarded(12, ".git/hooks"), guarded(12, "other")); }
static int guard_git_rename(void) { return result(rename(guarded(13, ".git"), guarded(13, "g"))); }
static int guard_git_exchange(void) { return exchange(guarded(14, ".git"), guarded(14, "other")); }
static int guard_parent_rename(void) { return result(rename(guarded(15, "below/er"), guarded(15, "below/x"))); }
static int guard_grandparent_rename(void) { return result(rename(guarded(16, "below"), guarded(16, "x"))); }
static int guard_grandparent_exchange(void) { return exchange(guarded(17, "below"), guarded(17, "other")); }
static int guard_top_rename(void) { return result(rename(path("W", "/guards/18"), path("W", "/guards/x18"))); }
static int guard_nested_write(void) { return open_for(guarded(1, "below/er/.git/config"), O_WRONLY); }
static int guard_second_grant(void) { return open_for(guarded(1, "second/.git/config"), O_WRONLY); }
static int guard_second_grant_parent(void) { return result(rename(guarded(1, "second"), guarded(1, "third"))); }
static int guard_worktree_file(void) { return open_for(guarded(1, "sub/.git"), O_WRONLY); }
static int guard_worktree_file_replace(void) { return result(rename(guarded(19, "file"), guarded(19, "sub/.git"))); }
static int guard_submodule_config(void) { return open_for(guarded(1, ".git/modules/sub/config"), O_WRONLY); }
static int guard_submodule_hook(void) { return open_for(guarded(1, ".git/modules/sub/hooks/x"), O_WRONLY | O_CREAT); }
static int guard_submodule_rename(void) { return result(rename(guarded(20, ".git/modules/sub"), guarded(20, "m"))); }
static int guard_commondir(void) { return open_for(guarded(1, ".git/worktrees/w/commondir"), O_WRONLY); }
static int guard_worktree_settings(void) { return open_for(guarded(1, ".git/worktrees/w/config.worktree"), O_WRONLY); }
static int guard_bare_config(void) { return open_for(guarded(1, "bare/config"), O_WRONLY); }
static int guard_bare_hook(void) { return open_for(guarded(1, "bare/hooks/update"), O_WRONLY | O_CREAT); }
static int guard_hooks_path(void) { return open_for(guarded(1, "myhooks/pre-commit"), O_WRONLY | O_CREAT); }
static int guard_envrc(void) { return open_for(guarded(1, ".envrc"), O_WRONLY); }
static int guard_editor(void) { return open_for(guarded(1, ".vscode/tasks.json"), O_WRONLY | O_CREAT); }
static int guard_editor_rename(void) { return result(rename(guarded(21, ".vscode"), guarded(21, "v"))); }
static int guard_start_file_link(void) { return open_for(guarded(1, ".profile"), O_WRONLY); }
static int guard_start_file_target(void) { return open_for(guarded(1, "files/profile"), O_WRONLY); }
static int guard_start_file_unlink(void) { return result(unlink(guarded(22, ".profile"))); }
static int guard_start_file_replace(void) { return result(rename(guarded(23, "file"), guarded(23, ".profile"))); }
static int guard_named(void) { return open_for(guarded(1, "named"), O_WRONLY); }
static int hidden_read(void) { return read_byte(guarded(1, "key.pem")); }
static int hidden_stat(void) { struct stat s; return result(stat(guarded(1, "key.pem"), &s)); }
static int hidden_write(void) { return open_for(guarded(1, "key.pem"), O_WRONLY); }
static int hidden_create(void) { return open_for(guarded(1, "key.pem"), O_WRONLY | O_CREAT); }
static int hidden_read_by_link(void) {
    unlink(guarded(1, "to-key"));
    if (symlink("key.pem", guarded(1, "to-key")) < 0) return errno;
    return read_byte(guarded(1, "to-key"));
}
static int hidden_read_by_directory(void) {
    int fd = openat(open(guarded(1, "files"), O_PATH | O_DIRECTORY), "../key.pem", O_RDONLY);
    return result(fd);
}
static int hidden_execute(void) { return result(access(guarded(1, "key.pem"), F_OK)); }
static int hidden_unlink(void) { return result(unlink(guarded(24, "key.pem"))); }
static int hidden_rename(void) { return result(rename(guarded(25, "key.pem"), guarded(25, "k"))); }
static int hidden_rename_over(void) { return result(rename(guarded(26, "file"), guarded(26, "key.pem"))); }
static int hidden_link(void) { return result(link(guarded(27, "key.pem"), guarded(27, "k"))); }
static int hidden_directory_read(void) { return read_byte(guarded(1, "secrets/one")); }
static int hidden_directory_create(void) { return open_for(guarded(1, "secrets/new"), O_WRONLY | O_CREAT); }
static int hidden_directory_rename(void) { return result(rename(guarded(28, "secrets"), guarded(28, "s"))); }
static int hidden_parent_rename(void) { return result(rename(guarded(29, "files"), guarded(29, "f"))); }
static int hidden_in_readonly(void) { return read_byte(path("R", "/key.pem")); }

#define GUARD_ATTACKS \
    A(guard_write), A(guard_append), A(guard_truncate), A(guard_chmod), A(guard_utimes), A(guard_setxattr), \
    A(guard_mmap), A(guard_reopen_by_proc), A(guard_reopen_by_directory), A(guard_rename_over), \
    A(guard_rename_away), A(guard_unlink), A(guard_exchange), A(guard_link_out), A(guard_link_over), \
    A(guard_hook_create), A(guard_hook_rename_in), A(guard_hook_link_in), A(guard_hook_symlink_in), \
    A(guard_hook_tmpfile), A(guard_hooks_rename), A(guard_hooks_remove), A(guard_hooks_exchange), \
    A(guard_git_rename), A(guard_git_exchange), A(guard_parent_rename), A(guard_grandparent_rename), \
    A(guard_grandparent_exchange), A(guard_top_rename), A(guard_nested_write), A(guard_second_grant), \
    A(guard_second_grant_parent), A(guard_worktree_file), A(guard_worktree_file_replace), \
    A(guard_submodule_config), A(guard_submodule_hook), A(guard_submodule_rename), A(guard_commondir), \
    A(guard_worktree_settings), A(guard_bare_config), A(guard_bare_hook), A(guard_hooks_path), A(guard_envrc), \
    A(guard_editor), A(guard_editor_rename), A(guard_start_file_link), A(guard_start_file_target), \
    A(guard_start_file_unlink), A(guard_start_file_replace), A(guard_named), A(hidden_read), A(hidden_stat), \
    A(hidden_write), A(hidden_create), A(hidden_read_by_link), A(hidden_read_by_directory), A(hidden_execute), \
    A(hidden_unlink), A(hidden_rename), A(hidden_rename_over), A(hidden_link), A(hidden_directory_read), \
    A(hidden_directory_create), A(hidden_directory_rename), A(hidden_parent_rename), A(hidden_in_readonly)
