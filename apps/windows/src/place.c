#include "place.h"

/* Beyond any desktop, and sums of two do not overflow. */
#define EDGE_MAX 100000
#define SIDE_MIN 200
/* The invisible part of a frame's border on Windows 10 and 11, which may exceed the screen's
   edge. */
#define UNSEEN_BORDER 16

bool place_is_sound(const struct area *place) {
  const int edges[] = {place->left, place->top, place->right, place->bottom};
  for (int i = 0; i < 4; i++) {
    if (edges[i] < -EDGE_MAX || edges[i] > EDGE_MAX) return false;
  }
  return place->right - place->left >= SIDE_MIN && place->bottom - place->top >= SIDE_MIN;
}

/* Moves `*low` and `*high` between `work_low` and `work_high`. */
static void clamp_side(int *low, int *high, int work_low, int work_high) {
  int length = *high - *low;
  if (length > work_high - work_low) length = work_high - work_low;
  if (*low > work_high - length) *low = work_high - length;
  if (*low < work_low) *low = work_low;
  *high = *low + length;
}

struct area place_clamp(struct area place, struct area work) {
  clamp_side(&place.left, &place.right, work.left - UNSEEN_BORDER, work.right + UNSEEN_BORDER);
  clamp_side(&place.top, &place.bottom, work.top, work.bottom + UNSEEN_BORDER);
  return place;
}

struct area place_first(struct area work, int dots_per_inch) {
  const int width = 1280 * dots_per_inch / 96;
  const int height = 860 * dots_per_inch / 96;
  const int left = work.left + (work.right - work.left - width) / 2;
  const int top = work.top + (work.bottom - work.top - height) / 2;
  struct area place = {left, top, left + width, top + height};
  clamp_side(&place.left, &place.right, work.left, work.right);
  clamp_side(&place.top, &place.bottom, work.top, work.bottom);
  return place;
}
