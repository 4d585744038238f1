/* Decides where an address may open. No Windows headers, so that tests compile it on the build
   machine. */
#ifndef HOLO_ADDRESS_H
#define HOLO_ADDRESS_H

#include <stdbool.h>

/* Longer addresses are ignored. */
#define ADDRESS_MAX 4096
#define HOST_MAX 253

typedef enum {
  ADDRESS_INSIDE,  /* our origin, the provider's checkout and its banks: shown in the window */
  ADDRESS_OUTSIDE, /* other http, https or mailto: the system's browser */
  ADDRESS_DROPPED  /* everything else: ignored */
} address_decision;

struct origin {
  bool secure; /* https, else http */
  char host[HOST_MAX + 1];
  unsigned port;
};

/* Reads the origin of a canonical http or https address. Refuses user names, invalid ports,
   unusual hosts and characters that a canonical address would encode. */
bool origin_parse(const char *address, struct origin *origin);

bool origin_equal(const struct origin *a, const struct origin *b);

/* Where a navigation of the window, or a new window, opens. `is_away`: the shown page is the
   checkout or a bank's page, from which any https page opens inside. */
address_decision address_decide(const char *address, const struct origin *ours, bool is_away);

/* Whether the address is foreign: the checkout or a page after it. */
bool address_is_away(const char *address, const struct origin *ours);

/* The provider's final address of a payment; the window then opens the wallet. */
bool address_ends_checkout(const char *address);

/* Whether the address is the checkout, which can be reopened, unlike a bank's page. */
bool address_is_checkout(const char *address);

/* Whether a frame may navigate there. Banks confirm in frames; schemes that leave the engine
   (`intent:`, `ms-settings:`, `file:`) are refused. */
bool address_in_frame(const char *address);

/* Whether the address is of our origin. */
bool address_is_ours(const char *address, const struct origin *ours);

/* Whether it is a download: below /downloads/ on our origin. */
bool address_is_download(const char *address, const struct origin *ours);

#endif
