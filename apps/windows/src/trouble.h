/* The page of our own that stands in for one that could not be shown. Pure; asked by the tests of the build machine as well. */
#ifndef HOLO_TROUBLE_H
#define HOLO_TROUBLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TROUBLE_NONE,        /* what the window shows stays */
  TROUBLE_UNREACHABLE, /* no connection, no answer */
  TROUBLE_UNSAFE,      /* somebody answered who could not prove to be us */
  TROUBLE_STOPPED      /* the page's own process died */
} trouble;

/* What a failed navigation means, by its COREWEBVIEW2_WEB_ERROR_STATUS. */
trouble trouble_of_status(int status);

/* Room enough for the page with the longest address in it, each of its characters written as an entity. */
#define TROUBLE_PAGE_MAX 32768

/* Writes the page, with a link to `retry`. Returns its length, or 0 where `size` is too small. */
size_t trouble_write(char *page, size_t size, trouble what, bool is_day, const char *retry);

#endif
