/* The one window: its place, its colours by night and by day, and what it does on behalf of the view in it. */
#ifndef HOLO_WINDOW_H
#define HOLO_WINDOW_H

#include <stdbool.h>
#include <windows.h>

/* Also what the setup program looks for, to close a running host before it replaces it. */
#define WINDOW_CLASS L"HoloArena"
#define PRODUCT_NAME L"Holo Arena"

enum {
  WINDOW_COME_FORWARD = WM_APP + 1, /* from a second start */
  WINDOW_OPEN_OUTSIDE,              /* what outside_ask has kept */
  WINDOW_GO_TO_WALLET,              /* a payment is over */
  WINDOW_VIEW_FAILED,               /* there will be no view: fall back */
  WINDOW_VIEW_LOST                  /* the engine died under the view: begin anew */
};

/* NULL where Windows refuses. Still hidden. */
HWND window_create(HINSTANCE instance);

/* Shows it as it was left, maximised too. */
void window_show(HWND window);

/* The last colours the page was seen in; kept for the next start, so that it does not begin with a flash of the other. */
bool window_is_day(void);
void window_follow(HWND window, bool is_day);

#endif
