import type { OpponentView } from "@holo/protocol/accounts/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type RatingPool, toPool } from "@holo/table/rating.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";

/** Views asked for within this time come in one answer: a list shows many opponents. */
const COLLECT_MS = 20;
const KEPT_MS = 30_000;

interface Asked {
  readonly game: GameType;
  readonly pool: RatingPool;
  readonly answers: Map<string, ((view: OpponentView | null) => void)[]>;
}

interface Kept {
  readonly view: OpponentView | null;
  readonly atMs: number;
}

const collecting = new Map<string, Asked>();
const kept = new Map<string, Kept>();

/** A player as an opponent of the viewer at a game; null until it is known. */
export function useOpponent(playerId: string, game: GameType, stake: number): OpponentView | null {
  const viewerId = useSession().player?.id ?? "";
  const pool = toPool(stake);
  const key = `${viewerId} ${game} ${pool} ${playerId}`;
  const [shown, setShown] = useState<{ readonly key: string; readonly view: OpponentView | null } | null>(null);

  useEffect(() => {
    let isWanted = true;
    void findOpponent(key, { playerId, game, pool }).then((view) => isWanted && setShown({ key, view }));
    return () => {
      isWanted = false;
    };
  }, [key, playerId, game, pool]);

  return shown?.key === key ? shown.view : (kept.get(key)?.view ?? null);
}

async function findOpponent(
  key: string,
  { playerId, game, pool }: { readonly playerId: string; readonly game: GameType; readonly pool: RatingPool },
): Promise<OpponentView | null> {
  const known = kept.get(key);
  if (known !== undefined && performance.now() - known.atMs < KEPT_MS) return known.view;
  const view = await new Promise<OpponentView | null>((answer) => {
    const group = `${game} ${pool}`;
    const asked = collecting.get(group) ?? { game, pool, answers: new Map() };
    if (!collecting.has(group)) {
      collecting.set(group, asked);
      setTimeout(() => void ask(group, asked), COLLECT_MS);
    }
    asked.answers.set(playerId, [...(asked.answers.get(playerId) ?? []), answer]);
  });
  if (view !== null) kept.set(key, { view, atMs: performance.now() });
  return view;
}

/** Without an answer nothing is shown: the page works without it. */
async function ask(group: string, { game, pool, answers }: Asked): Promise<void> {
  collecting.delete(group);
  const answer = await callApi("opponents", { query: { players: [...answers.keys()].join(","), game, pool } });
  const views = new Map(answer.ok ? answer.value.opponents.map((view) => [view.id as string, view]) : []);
  for (const [playerId, receivers] of answers) for (const receive of receivers) receive(views.get(playerId) ?? null);
}
