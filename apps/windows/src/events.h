/* What the view tells, and what the host answers: where pages may go, and what is shown when one does not come. */
#ifndef HOLO_EVENTS_H
#define HOLO_EVENTS_H

#include "com.h"

/* Listens to a new view. */
void events_attach(HWND window, com *view);

/* The view goes: whatever it still tells is not acted on. */
void events_detach(void);

/* The address the window shows or was to show last; the arena's front page at first. Valid until the next event. */
LPCWSTR events_wanted(void);

/* Where a payment ends that does not come home by itself. */
void events_go_to_wallet(void);

/* Asks a page of our origin whether it is by night or by day; the answer goes to window_follow. */
void events_ask_theme(void);

#endif
