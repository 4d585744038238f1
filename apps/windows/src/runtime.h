/* Loads the WebView2 runtime without the SDK's loader. */
#ifndef HOLO_RUNTIME_H
#define HOLO_RUNTIME_H

#include <stdbool.h>

/* `completed` is an ICoreWebView2CreateCoreWebView2EnvironmentCompletedHandler, called later on
   this thread. False without a runtime. */
bool runtime_create_environment(void *completed);

#endif
