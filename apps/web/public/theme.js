// Runs before the first paint, so that a page by day never flashes night. A file of its own, since the content policy allows no inline script.
(() => {
  try {
    const theme = localStorage.getItem("holo.theme");
    if (theme !== "day") return;
    document.documentElement.dataset.theme = "day";
    document.querySelector('meta[name="theme-color"]').content = "#f4f1e8";
  } catch {
    // Storage is closed to this page: night, the default, stands.
  }
})();
