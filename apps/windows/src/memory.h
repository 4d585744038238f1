/* State between starts, in %LOCALAPPDATA%\Holo Arena\window.ini. */
#ifndef HOLO_MEMORY_H
#define HOLO_MEMORY_H

#include <stdbool.h>
#include <wchar.h>

#include "place.h"

struct memory {
  bool has_place;
  struct area place;
  bool is_maximised;
  bool is_day;
};

struct memory memory_load(void);
void memory_save(const struct memory *memory);

/* A path in the host's folder, of at most MAX_PATH characters. Creates the folder; false on
   failure. */
bool memory_path(const wchar_t *name, wchar_t *path);

#endif
