/* Where the window stands. Pure, in physical pixels of the screen; asked by the tests of the build machine as well. */
#ifndef HOLO_PLACE_H
#define HOLO_PLACE_H

#include <stdbool.h>

struct area {
  int left, top, right, bottom;
};

/* Whether a remembered place can be meant at all: numbers out of a damaged file are not. */
bool place_is_sound(const struct area *place);

/* Moves and shrinks a place until all that is seen of it lies in `work`, the part of a monitor that the taskbar leaves. */
struct area place_clamp(struct area place, struct area work);

/* The place of a first start: 1280 x 860 at 96 dots per inch, in the middle of `work`. The page's offer of an update needs 1024. */
struct area place_first(struct area work, int dots_per_inch);

#endif
