/* What a spawned program has: a line for each descriptor, argument and variable. */
#include <fcntl.h>
#include <stdio.h>

/* Above every number the test gives out; a descriptor beyond it would have come from the JVM. */
enum { NUMBERS = 4096 };

int main(int argc, char **argv, char **envp) {
    for (int number = 0; number < NUMBERS; number++) {
        if (fcntl(number, F_GETFD) >= 0) {
            printf("fd %d\n", number);
        }
    }
    for (int i = 0; i < argc; i++) {
        printf("arg %s\n", argv[i]);
    }
    for (char **variable = envp; *variable != NULL; variable++) {
        printf("env %s\n", *variable);
    }
    return 0;
}
