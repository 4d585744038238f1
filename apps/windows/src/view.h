/* The WebView2 view in the window. */
#ifndef HOLO_VIEW_H
#define HOLO_VIEW_H

#include <stdbool.h>
#include <windows.h>

/* Starts creating the view; the window receives messages about it. False if it cannot start. */
bool view_create(HWND window);

/* Releases the view. */
void view_close(void);

/* Fills the window. Hidden while minimised, so that the page knows. */
void view_fit(HWND window);
void view_moved(void);
void view_focus(void);

#endif
