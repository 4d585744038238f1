import type { GameType } from "@holo/rules/rules.ts";
import type { Signal } from "../finding.ts";
import type { Edge, PlayedGame } from "./facts.ts";
import { toBetaBinomialTail, toBits } from "./tails.ts";
import { isThrown } from "./thrown.ts";

/** Errors per choice in lost games, and how many such choices a player's own are mixed with. */
const USUAL: Readonly<Record<GameType, number>> = { chess: 0.06, checkers: 0.07 };
const USUAL_ELSE = 0.07;
const USUAL_CHOICES = 50;
/** Errors follow each other: what is known of a player is worth half as many choices. */
const KNOWN_PART = 0.5;
/** Who loses on purpose does not always err more, so that a surprise is only a part of evidence. */
const EVIDENCE_PART = 0.7;
const SPEAKS_FROM = 1;
const CAP = 8;

/** Moves that cost a good part of the game, above the same players' rate in other lost games. */
export function judgeErrors({ games, elsewhere }: Edge): Signal {
  const here = games.filter(isPlayedOut);
  const own = elsewhere.filter(isPlayedOut);
  const { errors, choices } = count(here);
  let [expected, known] = [0, 0];
  for (const [game, lost] of Map.groupBy(here, (one) => one.game)) {
    const others = count(own.filter((one) => one.game === game));
    const weight = others.choices + USUAL_CHOICES;
    expected += (count(lost).choices * (others.errors + (USUAL[game] ?? USUAL_ELSE) * USUAL_CHOICES)) / weight;
    known += weight;
  }
  const usual = expected / Math.max(1, choices);
  const bits = EVIDENCE_PART * toBits(toBetaBinomialTail(errors, choices, usual, known * KNOWN_PART));
  return {
    name: "errors",
    version: 1,
    class: "play",
    bits: bits < SPEAKS_FROM ? 0 : Math.min(CAP, bits),
    figures: { errors, choices, usual, games: here.length },
    threshold: usual,
  };
}

/** Whether it was lost on the board, and the engine has judged its moves. */
function isPlayedOut(game: PlayedGame): boolean {
  return game.score === 0 && game.own !== null && !isThrown(game);
}

function count(games: readonly PlayedGame[]): { readonly errors: number; readonly choices: number } {
  return {
    errors: games.reduce((total, { own }) => total + (own?.errors ?? 0), 0),
    choices: games.reduce((total, { own }) => total + (own?.choices ?? 0), 0),
  };
}
