import type { FairPlaySignalView } from "@holo/protocol/admin/fair-play-cases.ts";
import { formatThinkTime } from "./think-times.ts";

interface SignalTexts {
  readonly title: string;
  /** The figures in a sentence. */
  readonly found: string;
  /** From where on it speaks. */
  readonly threshold: string;
  /** Who else looks like this. */
  readonly honest: string;
}

type Texts = Pick<SignalTexts, "title" | "honest"> & {
  readonly find: (figure: (name: string) => number) => string;
  readonly formatThreshold: (value: number) => string;
};

const percent = (value: number) => `${Math.round(100 * value)}%`;
const asUsual = (value: number) => `More than ${percent(value)}`;
const asExpected = (value: number) => `More than ${formatFigure(value)}`;

/** By name. */
const SIGNALS: Readonly<Record<string, Texts>> = {
  captivity: {
    title: "Coins from one source",
    find: (figure) =>
      `${percent(figure("share"))} of what the player won was deposited here. Of what others have of these deposits, ${percent(figure("captivity"))} are with players who win little elsewhere (with this player ${percent(figure("aim"))}). ${percent(figure("quick"))} were lost within 72 hours; the depositor has ${percent(figure("kept"))}.`,
    formatThreshold: (value) => `${percent(value)} for the first two`,
    honest: "Friends who play each other nightly look like this, and so does a beginner who loses to one good player.",
  },
  series: {
    title: "A long series, played out",
    find: (figure) =>
      `${figure("games")} games, of which ${figure("thrown")} were given up in positions that weren't lost.`,
    formatThreshold: (value) => `From ${value} games`,
    honest: "Speaks for the players: friends play whole nights, and someone who only moves coins has no time for it.",
  },
  played: {
    title: "Lost with the usual errors",
    find: (figure) =>
      `${figure("errors")} of ${figure("choices")} moves in lost games gave much of the game away, and no game was given up too early. In these players' other losses: ${percent(figure("usual"))}.`,
    formatThreshold: (value) => `Less than ${percent(value)}`,
    honest: "Speaks for the players: someone who loses on purpose errs far more often, or gives up.",
  },
  thrown: {
    title: "Given up while not lost",
    find: (figure) =>
      `${figure("thrown")} of ${figure("losses")} losses were given up in positions that weren't lost. Usual for these players: ${percent(figure("usual"))}.`,
    formatThreshold: asUsual,
    honest: "Power cuts, bad networks and bad moods end good games too. They hit games against everyone.",
  },
  errors: {
    title: "More errors than usual",
    find: (figure) =>
      `${figure("errors")} of ${figure("choices")} moves in lost games gave much of the game away. In these players' other losses: ${percent(figure("usual"))}.`,
    formatThreshold: asUsual,
    honest: "Tired players and beginners err in rows.",
  },
  results: {
    title: "Results that strength doesn't explain",
    find: (figure) =>
      `${figure("won")} of ${figure("games")} games won. Their strength explains ${formatFigure(figure("expected"))}.`,
    formatThreshold: asExpected,
    honest: "A student who improves fast beats old ratings, and some opponents just suit a player.",
  },
  haste: {
    title: "Faster than usual",
    find: (figure) =>
      `Half of ${figure("moves")} moves of choice took less than ${formatThinkTime(figure("medianMs"))}. Elsewhere it's ${formatThinkTime(figure("ownMedianMs"))}.`,
    formatThreshold: (value) => `Less than ${formatThinkTime(value)}`,
    honest: "Friends often play fast for fun.",
  },
  meeting: {
    title: "Met too often by matchmaking",
    find: (figure) =>
      `Met ${figure("met")} times in ${figure("games")} searches. The queue explains ${formatFigure(figure("expected"))}.`,
    formatThreshold: asExpected,
    honest: "Two people with the same habits search at the same hours.",
  },
  means: {
    title: "Depositor and player are linked",
    find: (figure) =>
      `Linked at ${percent(figure("strength"))}${figure("isOfMoney") === 1 ? ", by bank account or card" : ""}${figure("isDetour") === 1 ? ", and the coins came by a detour" : ""}.`,
    formatThreshold: (value) => `From ${percent(value)}`,
    honest: "Families share phones, cards and bank accounts.",
  },
  age: {
    title: "New on both ends",
    find: (figure) =>
      `The depositor's youngest means are ${formatFigure(figure("sourceDays"))} days old, the player's ${formatFigure(figure("playerDays"))}.`,
    formatThreshold: (value) => `Both under ${value} days`,
    honest: "Friends who join together are new together.",
  },
  stalling: {
    title: "Clocks run out in lost positions",
    find: (figure) => `${figure("stalled")} of ${figure("games")} games.`,
    formatThreshold: (value) => `From ${value} games`,
    honest: "It moves no coins, and counts nothing here.",
  },
  engine_use: {
    title: "Moves like a program's",
    find: (figure) =>
      `Found the computer's move ${formatFigure(figure("surprise"))} standard errors more often than equals do, in ${figure("choices")} choices of ${figure("games")} games at an even pace (think times spread by less than half of their median).`,
    formatThreshold: (value) => `From ${value} standard errors; people seldom forfeit below 5`,
    honest: "Good players on a good day, and openings learned by heart, come close.",
  },
};

/** A signal without a text of its own shows its names. */
export function toSignalTexts({ name, figures, threshold }: FairPlaySignalView): SignalTexts {
  const texts = SIGNALS[name];
  if (texts === undefined) {
    const found = Object.entries(figures).map(([figure, value]) => `${toWords(figure)} ${formatFigure(value)}`);
    return { title: toWords(name), found: found.join(" · "), threshold: formatFigure(threshold), honest: "" };
  }
  const { title, honest, find, formatThreshold } = texts;
  return { title, honest, found: find((figure) => figures[figure] ?? 0), threshold: formatThreshold(threshold) };
}

/** `movesSeen` and `moves_seen` become "Moves seen". */
export function toWords(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DECIMALS_MAX = 2;

export function formatFigure(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: DECIMALS_MAX });
}
