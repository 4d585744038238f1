/* Handles the view's events: navigation and load errors. */
#ifndef HOLO_EVENTS_H
#define HOLO_EVENTS_H

#include "com.h"

/* Subscribes to a new view. */
void events_attach(HWND window, com *view);

/* Ignores further events of a closed view. */
void events_detach(void);

/* The last shown or requested address, initially the home page. Valid until the next event. */
LPCWSTR events_wanted(void);

/* Opens the wallet after a payment. */
void events_go_to_wallet(void);

/* Asks our page for its theme; the answer goes to window_follow. */
void events_ask_theme(void);

#endif
