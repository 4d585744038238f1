/* Opens other programs: the system's browser, or Edge as an app without WebView2. */
#ifndef HOLO_OUTSIDE_H
#define HOLO_OUTSIDE_H

#include <windows.h>

/* Opens an address after the running callback, at most one a second. The caller has checked it. */
void outside_ask(HWND window, const char *address);

/* Opens the requested address. */
void outside_open(void);

/* Opens the site in Edge as an app, else in the default browser, else shows a message. */
void outside_fall_back(void);

#endif
