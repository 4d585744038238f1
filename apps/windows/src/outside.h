/* What leaves the host: the system's browser, and Edge as an app where there is no WebView2. */
#ifndef HOLO_OUTSIDE_H
#define HOLO_OUTSIDE_H

#include <windows.h>

/* Asks the window to hand an address to the system once the running callback is over, at most one in a second: a page cannot pour
   windows over the desktop. The caller has decided that it may go out. */
void outside_ask(HWND window, const char *address);

/* Hands what was asked for to the system. */
void outside_open(void);

/* Opens the arena without a window of ours: Edge in app mode, else the default browser, else a message that says what is missing. */
void outside_fall_back(void);

#endif
