/* Build parameters from the compiler's command line: -DORIGIN, -DVERSION as narrow strings. */
#ifndef HOLO_BUILD_H
#define HOLO_BUILD_H

#if !defined ORIGIN || !defined VERSION
#error "ORIGIN and VERSION are given by the build"
#endif

#define WIDEN_AGAIN(text) L##text
#define WIDEN(text) WIDEN_AGAIN(text)

/* Without a path and a slash at the end. */
#define ORIGIN_W WIDEN(ORIGIN)
#define VERSION_W WIDEN(VERSION)

#endif
