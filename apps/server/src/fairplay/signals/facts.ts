import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { EndReason, Pairing } from "@holo/table/log-record.ts";
import type { TraceKind } from "../../accounts/accounts.ts";
import type { MoveFigures } from "../engine/move-figures.ts";

/** An ended staked game, as seen from one of its players. */
export interface PlayedGame {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly playerId: PlayerId;
  readonly opponentId: PlayerId;
  readonly score: 0 | 0.5 | 1;
  /** Before the game. */
  readonly opponent: { readonly rating: number; readonly deviation: number };
  readonly end: EndReason | null;
  readonly pairing: Pairing | null;
  readonly at: Instant;
  /** The last position for the loser, in hundredths; null: no engine has judged it. */
  readonly finalScore: number | null;
  /** How the player moved, where the engine judged each move. */
  readonly own: MoveFigures | null;
}

/** Games in which coins went from some accounts to others, as the losing side saw them. */
export interface Edge {
  readonly games: readonly PlayedGame[];
  /** Of the same players against everyone who has no part in the flow. */
  readonly elsewhere: readonly PlayedGame[];
}

/** What a player's strength is, learned from games that have no part in the flow. */
export interface Strength {
  readonly rating: number;
  readonly deviation: number;
}

/** Two players who met, with what is known of them elsewhere. */
export interface Encounter {
  readonly winner: Strength;
  readonly loser: Strength;
  /** Decided games only. */
  readonly won: number;
  readonly lost: number;
}

/** A matchmaking game of the player's, and who sought on its terms meanwhile: the opponent, too. */
export interface Seek {
  readonly isWithSource: boolean;
  readonly candidates: number;
  readonly candidatesOfSource: number;
}

export interface Holder {
  /** The depositor's cluster. */
  readonly sourceKey: PlayerId;
  /** Whether it is the player's cluster. */
  readonly isOwn: boolean;
  readonly coins: number;
  readonly won: number;
  readonly wonFromSource: number;
}

/** How far coins of a depositor's cluster are with winners who live on them. */
export interface MoneyFacts {
  /** Coins that the player's cluster won of anyone's deposits, and of these depositors'. */
  readonly won: number;
  readonly wonFromSource: number;
  /** Coins of the deposits that others have or were paid, by cluster. */
  readonly holders: readonly Holder[];
  /** All that was deposited, and what is left of it with the depositors or was paid to them. */
  readonly deposited: number;
  readonly kept: number;
  /** The part of the player's coins that was lost within 72 hours of its deposit. */
  readonly quick: number;
  /** Clusters that live on these depositors, the player's among them if it does. */
  readonly captiveKeys: ReadonlySet<PlayerId>;
  /** Depositors' clusters that are taken together. */
  readonly sources: number;
  readonly rateKobo: number;
  /** What captive winners hold, or were paid in the last seven days. */
  readonly recentCoins: number;
  /** What the player has of it, or was paid in the last seven days. */
  readonly ownCoins: number;
}

export interface MeansFacts {
  readonly strength: number;
  readonly kinds: ReadonlySet<TraceKind>;
  /** Whether coins came over someone who is in neither cluster. */
  readonly isDetour: boolean;
}

export interface AgeFacts {
  /** Of the youngest of account, bank account and device, when the coins were won. */
  readonly sourceDays: number;
  readonly playerDays: number;
}

export interface FlowFacts {
  readonly money: MoneyFacts;
  /** The games that the player's cluster won the coins in. */
  readonly last: Edge;
  /** Those and all before them on the way. */
  readonly way: Edge;
  readonly encounters: readonly Encounter[];
  readonly seeks: readonly Seek[];
  readonly means: MeansFacts;
  readonly age: AgeFacts;
}
