/* Runs the host's pure files for the tests: one question per line, words separated by tabs, one
   answer per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/address.h"
#include "../src/place.h"
#include "../src/trouble.h"

static const char *const DECISIONS[] = {"inside", "outside", "dropped"};
static const char *const TROUBLES[] = {"none", "unreachable", "unsafe", "stopped"};

static struct area read_area(char **words) {
  return (struct area){atoi(words[0]), atoi(words[1]), atoi(words[2]), atoi(words[3])};
}

static void print_area(struct area area) { printf("%d %d %d %d\n", area.left, area.top, area.right, area.bottom); }

static void answer(char **words) {
  struct origin ours;
  if (strcmp(words[0], "decide") == 0) {
    puts(origin_parse(words[1], &ours) ? DECISIONS[address_decide(words[2], &ours, strcmp(words[3], "away") == 0)] : "no origin");
  } else if (strcmp(words[0], "away") == 0) {
    puts(origin_parse(words[1], &ours) && address_is_away(words[2], &ours) ? "yes" : "no");
  } else if (strcmp(words[0], "end") == 0) {
    puts(address_ends_checkout(words[1]) ? "yes" : "no");
  } else if (strcmp(words[0], "checkout") == 0) {
    puts(address_is_checkout(words[1]) ? "yes" : "no");
  } else if (strcmp(words[0], "ours") == 0) {
    puts(origin_parse(words[1], &ours) && address_is_ours(words[2], &ours) ? "yes" : "no");
  } else if (strcmp(words[0], "download") == 0) {
    puts(origin_parse(words[1], &ours) && address_is_download(words[2], &ours) ? "yes" : "no");
  } else if (strcmp(words[0], "frame") == 0) {
    puts(address_in_frame(words[1]) ? "yes" : "no");
  } else if (strcmp(words[0], "clamp") == 0) {
    print_area(place_clamp(read_area(words + 1), read_area(words + 5)));
  } else if (strcmp(words[0], "first") == 0) {
    print_area(place_first(read_area(words + 1), atoi(words[5])));
  } else if (strcmp(words[0], "sound") == 0) {
    const struct area area = read_area(words + 1);
    puts(place_is_sound(&area) ? "yes" : "no");
  } else if (strcmp(words[0], "status") == 0) {
    puts(TROUBLES[trouble_of_status(atoi(words[1]))]);
  } else if (strcmp(words[0], "page") == 0) {
    char page[TROUBLE_PAGE_MAX];
    const size_t size = (size_t)atoi(words[4]);
    puts(trouble_write(page, size, (trouble)atoi(words[1]), atoi(words[2]) == 1, words[3]) == 0 ? "too long" : page);
  } else {
    puts("no such question");
  }
}

int main(void) {
  static char line[3 * ADDRESS_MAX];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *words[10] = {"", "", "", "", "", "", "", "", "", ""};
    char *rest = line;
    for (int i = 0; i < 10 && rest != NULL; i++) {
      words[i] = rest;
      rest = strchr(rest, '\t');
      if (rest != NULL) *rest++ = '\0';
    }
    answer(words);
  }
  return 0;
}
