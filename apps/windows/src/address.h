/* Where an address may go. Pure: no Windows header, so that the same file is also compiled and asked by the tests of the build machine. */
#ifndef HOLO_ADDRESS_H
#define HOLO_ADDRESS_H

#include <stdbool.h>

/* Longer addresses than this are nobody's links: they are dropped. */
#define ADDRESS_MAX 4096
#define HOST_MAX 253

typedef enum {
  ADDRESS_INSIDE,  /* our origin, the payment provider's checkout, and the bank's pages it leads to: shown in the window */
  ADDRESS_OUTSIDE, /* http, https or mailto of somebody else: the system's browser */
  ADDRESS_DROPPED  /* everything else: nothing happens */
} address_decision;

struct origin {
  bool secure; /* https, else http */
  char host[HOST_MAX + 1];
  unsigned port;
};

/* Reads the origin of an http or https address, exactly as the engine would, or refuses. Refused besides other schemes: user names
   (`https://arena.example@evil.example`), ports that are none, hosts with other characters than a canonical one has, and any character that
   a canonical address would carry encoded. */
bool origin_parse(const char *address, struct origin *origin);

bool origin_equal(const struct origin *a, const struct origin *b);

/* What becomes of a navigation of the whole window, or of a window a page asks for. `is_away`: the page that is shown is not ours, so it
   is the checkout or a bank's page that it led to; from there the way goes on inside over https, whichever bank it is, until it comes home. */
address_decision address_decide(const char *address, const struct origin *ours, bool is_away);

/* Whether a page at that address is somebody else's: at the checkout, or on from there. */
bool address_is_away(const char *address, const struct origin *ours);

/* The provider's own word that a payment is over, where a bank's page comes back to nobody: the window goes to the wallet. */
bool address_ends_checkout(const char *address);

/* Whether the address is the checkout itself, which can be opened again; a bank's page cannot. */
bool address_is_checkout(const char *address);

/* Whether a frame may go there. Frames have nothing of ours to reach, and a bank's confirmation comes in one: only what would leave the
   engine (`intent:`, `ms-settings:`, `file:`) is held back. */
bool address_in_frame(const char *address);

/* Whether the address is of our origin, not of the checkout. */
bool address_is_ours(const char *address, const struct origin *ours);

/* Whether it leads to a file rather than to a page: what is below /downloads/ on our origin. */
bool address_is_download(const char *address, const struct origin *ours);

#endif
