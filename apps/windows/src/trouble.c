#include "trouble.h"

#include <string.h>

/* Values of COREWEBVIEW2_WEB_ERROR_STATUS; others are connection failures. */
enum {
  STATUS_UNKNOWN = 0, /* a response of 400 or above, which has its own page */
  STATUS_CERTIFICATE_FIRST = 1,
  STATUS_CERTIFICATE_LAST = 5,
  STATUS_CONNECTION_ABORTED = 9,   /* a download; the current page remains */
  STATUS_OPERATION_CANCELED = 14,  /* cancelled by us or by another navigation */
  STATUS_CREDENTIALS_REQUIRED = 17 /* and 18: the engine asks for them itself */
};

trouble trouble_of_status(int status) {
  if (status >= STATUS_CERTIFICATE_FIRST && status <= STATUS_CERTIFICATE_LAST) return TROUBLE_UNSAFE;
  if (status == STATUS_UNKNOWN || status == STATUS_CONNECTION_ABORTED || status == STATUS_OPERATION_CANCELED ||
      status >= STATUS_CREDENTIALS_REQUIRED) {
    return TROUBLE_NONE;
  }
  return TROUBLE_UNREACHABLE;
}

/* The colours of the design: background, text, secondary text, accent, focus ring. */
static const char HEAD[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';script-src 'unsafe-inline'\">"
    "<title>Holo Arena</title><style>"
    "body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 'Segoe UI',system-ui,sans-serif;background:var(--g);color:var(--i)}"
    "main{max-width:26rem;padding:2rem}h1{font-size:1.75rem;line-height:1.18;margin:0 0 .75rem}p{margin:0 0 1.5rem;color:var(--j)}"
    "a{display:inline-block;padding:.75rem 1.5rem;border:1px solid var(--b);border-radius:8px;font-weight:600;text-decoration:none;color:#041d16;"
    "background:linear-gradient(107deg,#f1e3b0,#b0efcc 25%,#aee6f4 50%,#dcc9f4 75%,#ffcbc8)}"
    "a:focus-visible{outline:3px solid var(--f);outline-offset:2px}";
static const char NIGHT[] = ":root{color-scheme:dark;--g:#062018;--i:#f4f1e5;--j:#ced1c4;--b:transparent;--f:#f2e075}";
static const char DAY[] = ":root{color-scheme:light;--g:#f3f1e8;--i:#092119;--j:#2f453c;--b:#12352a;--f:#0c60a3}";
/* The page retries when the machine is online again. */
static const char AFTER_LINK[] =
    "\" autofocus>Try again</a></main><script>addEventListener('online',()=>document.querySelector('a').click())</script>";

static const char *to_words(trouble what) {
  switch (what) {
    case TROUBLE_UNSAFE:
      return "<h1>This connection is not safe</h1><p>What answered could not prove that it is Holo Arena, so nothing was shown. "
             "Check this computer's date and its network, then try again.</p>";
    case TROUBLE_STOPPED:
      return "<h1>The page stopped</h1><p>Something went wrong on this computer. Your games and your coins are kept by the server.</p>";
    case TROUBLE_NONE:
    case TROUBLE_UNREACHABLE:
      break;
  }
  return "<h1>We can't reach Holo Arena</h1><p>Check this computer's connection. Your games and your coins are safe on the server. "
         "You can continue a running game when you are back.</p>";
}

struct writer {
  char *page;
  size_t size, length;
};

/* Counts past the end, so that the caller checks once for truncation. */
static void write_text(struct writer *writer, const char *text) {
  const size_t length = strlen(text);
  if (writer->length + length < writer->size) memcpy(writer->page + writer->length, text, length + 1);
  writer->length += length;
}

static void write_escaped(struct writer *writer, const char *text) {
  for (; *text != '\0'; text++) {
    const char plain[] = {*text, '\0'};
    switch (*text) {
      case '&':
        write_text(writer, "&amp;");
        break;
      case '"':
        write_text(writer, "&quot;");
        break;
      case '<':
        write_text(writer, "&lt;");
        break;
      default:
        write_text(writer, plain);
    }
  }
}

size_t trouble_write(char *page, size_t size, trouble what, bool is_day, const char *retry) {
  struct writer writer = {page, size, 0};
  write_text(&writer, HEAD);
  write_text(&writer, is_day ? DAY : NIGHT);
  write_text(&writer, "</style><main>");
  write_text(&writer, to_words(what));
  write_text(&writer, "<a href=\"");
  write_escaped(&writer, retry);
  write_text(&writer, AFTER_LINK);
  return writer.length < size ? writer.length : 0;
}
