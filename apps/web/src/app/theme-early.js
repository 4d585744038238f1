// Runs before the first paint, so that theme and board colours never flash. A separate file, since
// the content policy forbids inline scripts.
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
    // No storage, or invalid content: the defaults apply.
  }
})();
