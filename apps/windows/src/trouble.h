/* The error page. Pure, so that tests compile it on the build machine. */
#ifndef HOLO_TROUBLE_H
#define HOLO_TROUBLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TROUBLE_NONE,        /* keep the current page */
  TROUBLE_UNREACHABLE, /* no connection, no answer */
  TROUBLE_UNSAFE,      /* invalid certificate */
  TROUBLE_STOPPED      /* the page's process crashed */
} trouble;

/* Maps COREWEBVIEW2_WEB_ERROR_STATUS. */
trouble trouble_of_status(int status);

/* Enough for the page with the longest address, all characters escaped. */
#define TROUBLE_PAGE_MAX 32768

/* Writes the page with a link to `retry`. Returns its length, or 0 if `size` is too small. */
size_t trouble_write(char *page, size_t size, trouble what, bool is_day, const char *retry);

#endif
