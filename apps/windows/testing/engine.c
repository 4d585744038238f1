/* Stand-in for EmbeddedBrowserWebView.dll with the real interfaces' slots: logs calls to
   `engine.log` and plays the events of `engine.txt`, one line every 50 ms. */
#include <stdarg.h>
#include <stdio.h>
#include <windows.h>

#define SLOTS 120
#define METHOD HRESULT STDMETHODCALLTYPE

struct object {
  void **slots;
  const char *name;
  WCHAR text[4096];
  int number, answer;
};

typedef HRESULT(STDMETHODCALLTYPE *two_objects)(void *, void *, void *);
typedef HRESULT(STDMETHODCALLTYPE *result_and_object)(void *, HRESULT, void *);

static WCHAR folder[MAX_PATH];
static HWND parent;
static FILE *script;
static ULONGLONG resume_ms;
static BOOL is_waiting;
static void *handlers[SLOTS];
static struct object environment, controller, view, settings, args;

static void write_log(const char *format, ...) {
  WCHAR file[MAX_PATH];
  wsprintfW(file, L"%s\\engine.log", folder);
  FILE *log = _wfopen(file, L"ab");
  va_list values;
  va_start(values, format);
  vfprintf(log, format, values);
  va_end(values);
  fputc('\n', log);
  fclose(log);
}

static METHOD query(struct object *self, REFIID iid, void **found) {
  (void)iid;
  *found = self;
  return S_OK;
}

static ULONG STDMETHODCALLTYPE count(struct object *self) {
  (void)self;
  return 1;
}

/* Unused slots log their call, which reveals a wrong slot. */
static METHOD unexpected(struct object *self) {
  write_log("unexpected call on %s", self->name);
  return E_NOTIMPL;
}

static METHOD give_text(struct object *self, LPWSTR *text) {
  const size_t size = (wcslen(self->text) + 1) * sizeof(WCHAR);
  *text = CoTaskMemAlloc(size);
  memcpy(*text, self->text, size);
  return S_OK;
}

static METHOD give_number(struct object *self, int *number) {
  *number = self->number;
  return S_OK;
}

static METHOD say_yes(struct object *self, int *number) {
  (void)self;
  *number = TRUE;
  return S_OK;
}

static METHOD say_no(struct object *self, int *number) {
  (void)self;
  *number = FALSE;
  return S_OK;
}

static METHOD take_answer(struct object *self, int answer) {
  self->answer = answer;
  return S_OK;
}

/* One method per slot, so that the log has the number. */
#define PUT_NUMBER(slot)                                          \
  static METHOD put_##slot(struct object *self, int value) {      \
    write_log("%s " #slot " %d", self->name, value);              \
    return S_OK;                                                  \
  }
PUT_NUMBER(4) PUT_NUMBER(6) PUT_NUMBER(10) PUT_NUMBER(12) PUT_NUMBER(16) PUT_NUMBER(27)

#define ADD_HANDLER(slot)                                                           \
  static METHOD add_##slot(struct object *self, void *handler, INT64 *token) {      \
    (void)self;                                                                     \
    *token = slot;                                                                  \
    handlers[slot] = handler;                                                       \
    return S_OK;                                                                    \
  }
ADD_HANDLER(7) ADD_HANDLER(15) ADD_HANDLER(17) ADD_HANDLER(23) ADD_HANDLER(25) ADD_HANDLER(44) ADD_HANDLER(46) ADD_HANDLER(117)

static METHOD put_bounds(struct object *self, RECT bounds) {
  write_log("%s bounds %d %d", self->name, (int)(bounds.right - bounds.left), (int)(bounds.bottom - bounds.top));
  return S_OK;
}

static METHOD ignore(struct object *self) {
  (void)self;
  return S_OK;
}

static METHOD close_controller(struct object *self) {
  write_log("%s closed", self->name);
  return S_OK;
}

static METHOD get_view(struct object *self, void **found) {
  (void)self;
  *found = &view;
  return S_OK;
}

static METHOD get_settings(struct object *self, void **found) {
  (void)self;
  *found = &settings;
  return S_OK;
}

static METHOD put_user_agent(struct object *self, LPCWSTR agent) {
  write_log("%s agent %ls", self->name, agent);
  return S_OK;
}

/* Describes an event's arguments: slots for text, numbers and the host's answer. */
static void lay_out(int text_slot, int number_slot, int answer_slot) {
  for (int slot = 3; slot < 9; slot++) args.slots[slot] = (void *)unexpected;
  if (text_slot != 0) args.slots[text_slot] = (void *)give_text;
  if (number_slot != 0) args.slots[number_slot] = (void *)give_number;
  if (answer_slot != 0) args.slots[answer_slot] = (void *)take_answer;
}

/* The host's answer to the event whose handler that slot added. */
static int fire(int slot, int text_slot, int number_slot, int answer_slot) {
  lay_out(text_slot, number_slot, answer_slot);
  args.answer = 0;
  if (handlers[slot] != NULL) ((two_objects)(*(void ***)handlers[slot])[3])(handlers[slot], &view, &args);
  return args.answer;
}

static METHOD navigate(struct object *self, LPCWSTR address) {
  write_log("navigate %ls", address);
  lstrcpynW(self->text, address, 4096);
  return S_OK;
}

static METHOD navigate_to_string(struct object *self, LPCWSTR page) {
  (void)self;
  write_log("page %ls", page);
  return S_OK;
}

static METHOD get_title(struct object *self, LPWSTR *text) {
  (void)self;
  return give_text(&args, text);
}

static WCHAR theme[16] = L"null";

static METHOD execute_script(struct object *self, LPCWSTR text, void *handler) {
  (void)self;
  write_log("script %ls", text);
  ((result_and_object)(*(void ***)handler)[3])(handler, S_OK, theme);
  return S_OK;
}

static void tell_window(void) {
  RECT rect;
  WCHAR title[256];
  GetWindowRect(parent, &rect);
  GetWindowTextW(parent, title, 256);
  write_log("window %d %d %d %d %s %s", (int)rect.left, (int)rect.top, (int)rect.right, (int)rect.bottom,
            IsZoomed(parent) ? "maximised" : IsIconic(parent) ? "minimised" : "normal", IsWindowVisible(parent) ? "shown" : "hidden");
  write_log("title %ls", title);
}

static void place_window(const char *text) {
  int x = 0, y = 0, width = 0, height = 0;
  sscanf(text, "%d %d %d %d", &x, &y, &width, &height);
  SetWindowPos(parent, NULL, x, y, width, height, SWP_NOZORDER);
}

/* A completed navigation: 0 on success, else its error status. */
static void complete(void) {
  const int status = args.number;
  lay_out(0, 4, 0);
  args.slots[3] = (void *)(status == 0 ? say_yes : say_no);
  if (handlers[15] != NULL) ((two_objects)(*(void ***)handlers[15])[3])(handlers[15], &view, &args);
}

/* Runs the window's deferred messages. */
static void pump(void) {
  MSG message;
  while (PeekMessageW(&message, parent, 0, 0, PM_REMOVE)) DispatchMessageW(&message);
}

static void act(const char *verb, const char *text) {
  args.number = atoi(text);
  MultiByteToWideChar(CP_UTF8, 0, text, -1, args.text, 4096);
  if (strcmp(verb, "starting") == 0) {
    write_log("starting %s %s", text, fire(7, 3, 0, 8) ? "cancelled" : "allowed");
  } else if (strcmp(verb, "storm") == 0) {
    for (int i = 0; i < 10; i++) {
      fire(7, 3, 0, 8);
      pump();
    }
  } else if (strcmp(verb, "frame") == 0) {
    write_log("frame %s %s", text, fire(17, 3, 0, 8) ? "cancelled" : "allowed");
  } else if (strcmp(verb, "new-window") == 0) {
    write_log("new-window %s %s", text, fire(44, 3, 0, 6) ? "handled" : "left to the engine");
  } else if (strcmp(verb, "launching") == 0) {
    write_log("launching %s %s", text, fire(117, 3, 0, 7) ? "cancelled" : "allowed");
  } else if (strcmp(verb, "permission") == 0) {
    /* The permission's kind, then the page's origin. */
    MultiByteToWideChar(CP_UTF8, 0, strchr(text, ' ') + 1, -1, args.text, 4096);
    write_log("permission %s %s", text, fire(23, 3, 4, 7) == 2 ? "denied" : "left to the player");
  } else if (strcmp(verb, "source") == 0) {
    lstrcpyW(view.text, args.text);
  } else if (strcmp(verb, "titled") == 0) {
    fire(46, 0, 0, 0);
  } else if (strcmp(verb, "completed") == 0) {
    complete();
  } else if (strcmp(verb, "died") == 0) {
    fire(25, 0, 3, 0);
  } else if (strcmp(verb, "theme") == 0) {
    wsprintfW(theme, L"\"%s\"", args.text);
  } else if (strcmp(verb, "tell") == 0) {
    tell_window();
  } else if (strcmp(verb, "pause") == 0) {
    resume_ms = GetTickCount64() + (ULONGLONG)args.number;
  } else if (strcmp(verb, "move") == 0) {
    place_window(text);
  } else if (strcmp(verb, "show") == 0) {
    ShowWindow(parent, args.number);
  } else if (strcmp(verb, "await-restored") == 0) {
    is_waiting = IsIconic(parent);
  } else if (strcmp(verb, "close") == 0) {
    PostMessageW(parent, WM_CLOSE, 0, 0);
  } else {
    write_log("unknown line: %s %s", verb, text);
  }
}

static void CALLBACK step(HWND window, UINT message, UINT_PTR timer, DWORD time) {
  (void)window, (void)message, (void)time;
  char line[4096];
  if (is_waiting) is_waiting = IsIconic(parent);
  if (is_waiting || GetTickCount64() < resume_ms) return;
  if (script != NULL && fgets(line, sizeof line, script) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *rest = strchr(line, ' ');
    if (rest != NULL) *rest++ = '\0';
    act(line, rest == NULL ? "" : rest);
    return;
  }
  KillTimer(NULL, timer);
  write_log("done");
}

static METHOD create_controller(struct object *self, HWND window, void *handler) {
  parent = window;
  write_log("%s creates a controller", self->name);
  ((result_and_object)(*(void ***)handler)[3])(handler, S_OK, &controller);
  SetTimer(NULL, 0, 50, step);
  return S_OK;
}

static void make(struct object *object, const char *name) {
  object->name = name;
  object->slots = calloc(SLOTS, sizeof *object->slots);
  for (int i = 0; i < SLOTS; i++) object->slots[i] = (void *)unexpected;
  object->slots[0] = (void *)query;
  object->slots[1] = object->slots[2] = (void *)count;
}

static void make_objects(void) {
  make(&environment, "environment");
  environment.slots[3] = (void *)create_controller;
  make(&controller, "controller");
  controller.slots[4] = (void *)put_4;
  controller.slots[6] = (void *)put_bounds;
  controller.slots[12] = controller.slots[23] = (void *)ignore;
  controller.slots[24] = (void *)close_controller;
  controller.slots[25] = (void *)get_view;
  controller.slots[27] = (void *)put_27;
  make(&settings, "settings");
  settings.slots[6] = (void *)put_6;
  settings.slots[10] = (void *)put_10;
  settings.slots[12] = (void *)put_12;
  settings.slots[16] = (void *)put_16;
  settings.slots[21] = (void *)give_text;
  settings.slots[22] = (void *)put_user_agent;
  lstrcpyW(settings.text, L"Mozilla/5.0 (stand-in) Edg/120.0");
  make(&view, "view");
  view.slots[3] = (void *)get_settings;
  view.slots[4] = (void *)give_text;
  view.slots[5] = (void *)navigate;
  view.slots[6] = (void *)navigate_to_string;
  view.slots[7] = (void *)add_7;
  view.slots[15] = (void *)add_15;
  view.slots[17] = (void *)add_17;
  view.slots[23] = (void *)add_23;
  view.slots[25] = (void *)add_25;
  view.slots[29] = (void *)execute_script;
  view.slots[44] = (void *)add_44;
  view.slots[46] = (void *)add_46;
  view.slots[48] = (void *)get_title;
  view.slots[117] = (void *)add_117;
  make(&args, "arguments");
}

__declspec(dllexport) HRESULT STDMETHODCALLTYPE CreateWebViewEnvironmentWithOptionsInternal(BOOL check, int type, LPCWSTR profile,
                                                                                          IUnknown *options, void *handler) {
  WCHAR file[MAX_PATH];
  write_log("environment %d %d %ls %s", check, type, profile, options == NULL ? "plain" : "with options");
  make_objects();
  wsprintfW(file, L"%s\\engine.txt", folder);
  script = _wfopen(file, L"rb");
  const BOOL refuses = script != NULL && fgetc(script) == 'r' && fgetc(script) == 'e';
  if (script != NULL) rewind(script);
  ((result_and_object)(*(void ***)handler)[3])(handler, refuses ? E_FAIL : S_OK, refuses ? NULL : &environment);
  return S_OK;
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved) {
  (void)reserved;
  if (reason == DLL_PROCESS_ATTACH) {
    GetModuleFileNameW(instance, folder, MAX_PATH);
    *wcsrchr(folder, L'\\') = L'\0';
  }
  return TRUE;
}
