/* The WebView2 runtime of this machine, without the SDK's loader. */
#ifndef HOLO_RUNTIME_H
#define HOLO_RUNTIME_H

#include <stdbool.h>

/* Asks the runtime for an environment; `completed` is an ICoreWebView2CreateCoreWebView2EnvironmentCompletedHandler, called later on this
   thread. False where there is no runtime, or it refuses at once. */
bool runtime_create_environment(void *completed);

#endif
