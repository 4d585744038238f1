/* The window position in physical pixels. Pure, so that tests compile it on the build machine. */
#ifndef HOLO_PLACE_H
#define HOLO_PLACE_H

#include <stdbool.h>

struct area {
  int left, top, right, bottom;
};

/* Whether a stored place is valid; the file may be damaged. */
bool place_is_sound(const struct area *place);

/* Moves and shrinks a place into `work`, a monitor's work area. */
struct area place_clamp(struct area place, struct area work);

/* The initial place: 1280 x 860 at 96 dpi, centred. The page's update prompt needs 1024. */
struct area place_first(struct area work, int dots_per_inch);

#endif
