/* The main window: position, theme, and actions for the view. */
#ifndef HOLO_WINDOW_H
#define HOLO_WINDOW_H

#include <stdbool.h>
#include <windows.h>

/* The setup program also uses it to close a running host. */
#define WINDOW_CLASS L"HoloArena"
#define PRODUCT_NAME L"Holo Arena"

enum {
  WINDOW_COME_FORWARD = WM_APP + 1, /* from a second start */
  WINDOW_OPEN_OUTSIDE,              /* the address of outside_ask */
  WINDOW_GO_TO_WALLET,              /* a payment has ended */
  WINDOW_VIEW_FAILED,               /* no view: use the fallback */
  WINDOW_VIEW_LOST                  /* the engine crashed: restart it */
};

/* NULL on failure. Hidden at first. */
HWND window_create(HINSTANCE instance);

/* Shows it in its last state. */
void window_show(HWND window);

/* Stores the page's theme for the next start, so that it does not flash. */
bool window_is_day(void);
void window_follow(HWND window, bool is_day);

#endif
