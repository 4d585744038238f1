// Runs before the first paint, so that a page by day never flashes night, nor a board another colour. A file of its own, since the content
// policy allows no inline script.
(() => {
  try {
    if (localStorage.getItem("holo.theme") === "day") {
      document.documentElement.dataset.theme = "day";
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#f4f1e8");
    }
    if (JSON.parse(localStorage.getItem("holo.board") ?? "{}").theme === "kola") {
      document.documentElement.dataset.board = "kola";
    }
  } catch {
    // Storage is closed to this page, or holds what is not ours: the defaults stand.
  }
})();
