// Runs before the first paint, so that theme, board colours, fonts and links never flash. The
// content policy forbids inline scripts.
(() => {
  const { dataset } = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem("holo.theme");
    if (localStorage.getItem("holo.was-player") !== null) dataset.wasPlayer = "";
    if (localStorage.getItem("holo.fonts") !== null) dataset.fonts = "";
    const { theme: board = "forest" } = JSON.parse(localStorage.getItem("holo.board") ?? "{}");
    dataset.board = board;
    if (board !== "forest" && board !== "kola") {
      const boards = document.createElement("link");
      document.head.append(Object.assign(boards, { rel: "stylesheet", href: "/src/ui/theme/boards.css" }));
    }
  } catch {
    // No storage, or invalid content: the defaults apply.
  }
  // The device's theme until the player chooses one.
  if (theme === "day" || (theme !== "night" && matchMedia("(prefers-color-scheme: light)").matches)) {
    dataset.theme = "day";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#f4f1e8");
  }
})();
