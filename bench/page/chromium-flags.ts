/** What Chromium is started with wherever the page is measured: nothing of its own goes over the network meanwhile. */
export const CHROMIUM_ARGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
