// Runs before the first paint, so that theme, board colours, fonts and links never flash. A file of
// its own, since the content policy forbids inline scripts.
(() => {
  try {
    const { dataset } = document.documentElement;
    if (localStorage.getItem("holo.was-player") !== null) dataset.wasPlayer = "";
    if (localStorage.getItem("holo.fonts") !== null) dataset.fonts = "";
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
