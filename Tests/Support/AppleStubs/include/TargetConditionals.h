#ifndef TARGET_CONDITIONALS_H
#define TARGET_CONDITIONALS_H
/* Clang defines the macros for Apple's targets by itself. */
#if !defined(TARGET_OS_IPHONE)
#define TARGET_OS_IPHONE 0
#endif
#endif
