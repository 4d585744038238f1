/* The page in the window: WebView2 with nothing of the machine in its reach. */
#ifndef HOLO_VIEW_H
#define HOLO_VIEW_H

#include <stdbool.h>
#include <windows.h>

/* Begins to make the view; what comes of it is told to the window by messages. False where it cannot even begin. */
bool view_create(HWND window);

/* Lets go of a view, living or dead. */
void view_close(void);

/* Fills the window. Hidden in a minimised one, so that the page knows it is not seen. */
void view_fit(HWND window);
void view_moved(void);
void view_focus(void);

#endif
