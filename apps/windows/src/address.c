#include "address.h"

#include <stddef.h>
#include <string.h>

/* The provider's checkout hosts and the address after a bank's confirmation, from its guide for
   apps. The Android host has the same list. */
static const char *const CHECKOUT_HOSTS[] = {"checkout.paystack.com", "standard.paystack.co"};
static const char CHECKOUT_END[] = "https://standard.paystack.co/close";

static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Canonical addresses never contain these characters. */
static bool is_canonical(const char *text) {
  size_t length = 0;
  for (; text[length] != '\0'; length++) {
    const unsigned char c = (unsigned char)text[length];
    if (length == ADDRESS_MAX || c <= 0x20 || c >= 0x7f || strchr("\"<>\\`", c) != NULL) return false;
  }
  return length > 0;
}

/* Skips `scheme` and its colon, ignoring case; NULL for another scheme. */
static const char *skip_scheme(const char *address, const char *scheme) {
  for (; *scheme != '\0'; scheme++, address++) {
    if (to_lower(*address) != *scheme) return NULL;
  }
  return *address == ':' ? address + 1 : NULL;
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool is_host_character(char c, bool is_literal) {
  if (is_literal) return is_digit(c) || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
  return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
}

/* Reads the host in lower case and returns the rest; NULL if it is invalid. */
static const char *read_host(const char *text, const char *end, char *host) {
  const bool is_literal = text < end && *text == '[';
  size_t length = 0;
  if (is_literal) host[length++] = *text++;
  for (; text < end && is_host_character(to_lower(*text), is_literal); text++) {
    if (length >= HOST_MAX - 1) return NULL;
    host[length++] = to_lower(*text);
  }
  if (is_literal) {
    if (text == end || *text != ']') return NULL;
    host[length++] = *text++;
  }
  host[length] = '\0';
  return length > 0 && host[0] != '.' ? text : NULL;
}

static bool read_port(const char *text, const char *end, unsigned default_port, unsigned *port) {
  *port = default_port;
  if (text == end) return true;
  if (*text++ != ':' || end - text > 5) return false;
  if (text == end) return true;
  unsigned number = 0;
  for (; text < end; text++) {
    if (!is_digit(*text)) return false;
    number = number * 10 + (unsigned)(*text - '0');
  }
  *port = number;
  return number >= 1 && number <= 65535;
}

bool origin_parse(const char *address, struct origin *origin) {
  if (!is_canonical(address)) return false;
  const char *rest = skip_scheme(address, "https");
  origin->secure = rest != NULL;
  if (rest == NULL) rest = skip_scheme(address, "http");
  if (rest == NULL || !starts_with(rest, "//")) return false;
  rest += 2;
  const char *end = rest + strcspn(rest, "/?#");
  /* User names serve only to imitate another host. */
  if (memchr(rest, '@', (size_t)(end - rest)) != NULL) return false;
  rest = read_host(rest, end, origin->host);
  return rest != NULL && read_port(rest, end, origin->secure ? 443 : 80, &origin->port);
}

bool origin_equal(const struct origin *a, const struct origin *b) {
  return a->secure == b->secure && a->port == b->port && strcmp(a->host, b->host) == 0;
}

static bool is_checkout_origin(const struct origin *origin) {
  if (!origin->secure || origin->port != 443) return false;
  for (size_t i = 0; i < sizeof CHECKOUT_HOSTS / sizeof *CHECKOUT_HOSTS; i++) {
    if (strcmp(origin->host, CHECKOUT_HOSTS[i]) == 0) return true;
  }
  return false;
}

address_decision address_decide(const char *address, const struct origin *ours, bool is_away) {
  struct origin theirs;
  if (origin_parse(address, &theirs)) {
    const bool is_inside = origin_equal(&theirs, ours) || is_checkout_origin(&theirs) || (is_away && theirs.secure);
    return is_inside ? ADDRESS_INSIDE : ADDRESS_OUTSIDE;
  }
  const char *recipient = skip_scheme(address, "mailto");
  return recipient != NULL && *recipient != '\0' && is_canonical(address) ? ADDRESS_OUTSIDE : ADDRESS_DROPPED;
}

bool address_in_frame(const char *address) {
  static const char *const SCHEMES[] = {"https", "http", "about", "blob", "data"};
  for (size_t i = 0; i < sizeof SCHEMES / sizeof *SCHEMES; i++) {
    if (skip_scheme(address, SCHEMES[i]) != NULL) return true;
  }
  return false;
}

bool address_is_away(const char *address, const struct origin *ours) {
  struct origin theirs;
  return origin_parse(address, &theirs) && !origin_equal(&theirs, ours);
}

bool address_ends_checkout(const char *address) { return strcmp(address, CHECKOUT_END) == 0; }

bool address_is_checkout(const char *address) {
  struct origin theirs;
  return origin_parse(address, &theirs) && is_checkout_origin(&theirs);
}

bool address_is_ours(const char *address, const struct origin *ours) {
  struct origin theirs;
  return origin_parse(address, &theirs) && origin_equal(&theirs, ours);
}

bool address_is_download(const char *address, const struct origin *ours) {
  if (!address_is_ours(address, ours)) return false;
  const char *host = strstr(address, "//") + 2;
  return starts_with(host + strcspn(host, "/?#"), "/downloads/");
}
