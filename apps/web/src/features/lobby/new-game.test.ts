import { addToyGame } from "@holo/rules/testing/toy-game.ts";
import { addChoices, FIFTEEN, TWENTY } from "@holo/table/testing/more-choices.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";

// Before the page's modules are loaded, as a new line in a list is there before.
addToyGame();
addChoices();
vi.stubGlobal("addEventListener", () => undefined);
const { MatchFilters } = await import("./matches/match-filters.tsx");
const { NO_FILTER } = await import("./matches/match-filter.ts");
const { readChoice } = await import("./create-match/match-choice.ts");
const { MiniBoard } = await import("../../shared/board/picture/mini-board.tsx");
const { loadRules } = await import("../../shared/board/game-rules.ts");
const { formatMode, parseBoard, toGameTerms } = await import("../../shared/match/match.ts");
const { formatGames, formatLimits, formatPieceCounts, formatStakes } = await import(
  "../../shared/match/offer-texts.ts"
);

it("offers a third game, a stake of 20 HC and a limit of 15 minutes in its selects and texts", async () => {
  expect(formatStakes()).toBe("1, 2, 5, 10 or 20 HC");
  expect(formatLimits()).toBe("5, 10 or 15 minutes");
  expect(formatGames()).toBe("checkers, chess and race");
  expect(formatPieceCounts()).toBe("Checkers has 12 pieces, chess 16, race 3");
  expect(formatMode("race", FIFTEEN)).toBe("Race, 15 minutes");
  expect(toGameTerms("race", TWENTY, 0).buyIn).toBe(60_000_000n);
  expect(readChoice("game=race&stake=20&minutes=15").choice).toEqual({ game: "race", stake: 20, limitMinutes: 15 });

  const nothing = () => undefined;
  const filters = renderToStaticMarkup(
    createElement(MatchFilters, { filter: NO_FILTER, isOpen: true, search: "", onChange: nothing, onSearch: nothing }),
  );
  for (const text of ["Race", "20 HC", "15 min"]) expect(filters).toContain(`>${text}</option>`);

  const picture = renderToStaticMarkup(
    createElement(MiniBoard, { game: "race", pieces: parseBoard("race", "R......r".padEnd(64, ".")) }),
  );
  expect(picture).toMatch(/href="#runner-1" x="0" y="0".*href="#runner-2" x="7" y="0"/);
  const rules = await loadRules("race");
  expect(rules.describeMove(rules.start(), rules.legalMoves(rules.start())[0]!)).toBe("runner to a4");
});
