import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { chooseTerms } from "../support/steps.ts";
import { closeRobots, playPlies, startRobotGame } from "../support/tables.ts";

// A game of another test that ends between two pages' loads would change the leaderboard of one.
test.use({ ownServer: "platform" });
test.describe.configure({ timeout: 240_000 });
auditAfterwards();

interface Translator {
  /** 0: in the task that changed the page. */
  readonly afterMs: number;
  /** Whether it moves the text into its own element instead of replacing it. */
  readonly moves: boolean;
}

const TRANSLATORS: readonly Translator[] = [
  { afterMs: 0, moves: false },
  { afterMs: 0, moves: true },
  { afterMs: 300, moves: false },
];

/** Wraps each text into a `font` element, as translators of browsers do. */
function translate({ afterMs, moves }: Translator): void {
  function wrapAll(): void {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      if (text.data.trim() === "" || text.parentElement?.closest("font, script, style, [translate=no]")) continue;
      const font = document.createElement("font");
      font.textContent = moves ? "" : text.data;
      text.replaceWith(font);
      if (moves) font.append(text);
    }
  }
  addEventListener("DOMContentLoaded", () => {
    wrapAll();
    const observer = new MutationObserver(() => (afterMs === 0 ? wrapAll() : setTimeout(wrapAll, afterMs)));
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/** The lines that only one of two texts has, in its order; both texts if only the order differs. */
function listDifferences(one: string, other: string): readonly string[] {
  if (one === other) return [];
  const [ones, others] = [one.split("\n"), other.split("\n")];
  const differing = [
    ...ones.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
    ...others.filter((line) => !ones.includes(line)).map((line) => `+ ${line}`),
  ];
  return differing.length > 0 ? differing : [one, other];
}

// [SITE-46 §2] A page that the browser translates, at once or later, goes on to show the same sums, names, clocks and
// states as an untranslated one while they change, and shows no error.
test("a page that the browser translates shows the same sums, names and states [SITE-46]", async ({
  arena,
  addPlayer,
  newVisitor,
  newPlayer,
}) => {
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const [name = "", value = ""] = ada.cookie.split("=");
  const translated: Page[] = [];
  for (const translator of TRANSLATORS) {
    const page = await newVisitor({ isFirstVisit: true });
    await page.context().addCookies([{ name, value, url: arena.url }]);
    await page.addInitScript(translate, translator);
    translated.push(page);
  }
  const pages = [ada.page, ...translated];
  const readTexts = () => Promise.all(pages.map((page) => page.locator("body").innerText()));
  const onEach = async (act: (page: Page) => Promise<unknown>) => {
    await Promise.all(pages.map(act));
    await expect
      .poll(async () => {
        const [plain, ...others] = await readTexts();
        return others.flatMap((text) => listDifferences(plain ?? "", text));
      })
      .toEqual([]);
  };

  await onEach((page) => page.goto("/create-match"));
  await onEach((page) => chooseTerms(page, { game: "Chess", stake: "10", minutes: "10" }));
  await onEach((page) => expect(page.getByRole("main")).toContainText("171.84 HC"));
  await onEach((page) => page.getByRole("radio", { name: "A friend" }).check());
  await onEach((page) => chooseTerms(page, { game: "Checkers", stake: "2", minutes: "5" }));
  await onEach((page) => page.getByRole("radio", { name: "Anyone" }).check());

  await onEach((page) => page.goto("/wallet"));
  await onEach((page) => page.getByLabel("Amount in naira").fill("7000"));
  await onEach((page) => page.getByRole("button", { name: "₦20,000" }).click());
  await onEach((page) => page.getByRole("radio", { name: "Withdraw" }).check());
  await onEach((page) => page.getByRole("radio", { name: "Deposit" }).check());

  for (const path of ["/matches", "/leaderboard", "/profile"]) {
    await onEach((page) => page.goto(path));
    const tabs = await ada.page.getByRole("main").getByRole("tab").allInnerTexts();
    for (const index of tabs.keys()) await onEach((page) => page.getByRole("main").getByRole("tab").nth(index).click());
  }

  // The push about the game leads each page to the table.
  const game = await startRobotGame({ ...ada }, bola, arena.url, "");
  await onEach((page) => expect(page).toHaveURL(`/game/${game.gameId}`));
  await playPlies(game, 6);
  await onEach((page) => expect(page.getByRole("grid", { name: "Board" })).toBeVisible());
  await game.robots[1].send({ type: "offer_draw", gameId: game.gameId });
  await game.robots[1].send({ type: "resign", gameId: game.gameId });
  await onEach((page) => expect(page.getByText("You won", { exact: true })).toBeVisible());
  closeRobots(game.robots);
});
