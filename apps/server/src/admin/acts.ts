import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { AdminAct, AdminActsView } from "@holo/protocol/admin-views.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../platform/database.ts";

/** Something that somebody of the house did. */
export interface NewAct {
  /** Null: the server itself, by its configuration. */
  readonly playerId: PlayerId | null;
  readonly act: AdminAct;
  /** What it was done to, at most 300 characters: an address, a reference. */
  readonly subject: string;
  /** In words, at most 1,000 characters. It stays for good, so it names no player: their name goes with them when they leave. */
  readonly detail: string;
  readonly at: Instant;
}

const PAGE = 50;

/** Writes the act for good, in the transaction of what was done, and returns its id. */
export async function recordAct(tx: Tx, { playerId, act, subject, detail, at }: NewAct): Promise<bigint> {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into admin_acts (at, player_id, act, subject, detail)
    values (${at}, ${playerId}, ${act}, ${subject}, ${detail}) returning id`.execute(tx);
  return rows[0]!.id;
}

/** Whom an act was about, as they are called now: of a player the name, of a game both; null for all else. */
const ABOUT = sql<string | null>`
  case when done.act in ('player_blocked', 'player_unblocked') then (select username from profiles where id = done.subject)
  when done.act = 'game_cancelled' then (
    select coalesce(white.username, game.player1_id) || ' against ' || coalesce(black.username, game.player2_id)
    from games game
    left join profiles white on white.id = game.player1_id
    left join profiles black on black.id = game.player2_id
    where game.id = case when done.act = 'game_cancelled' then done.subject::uuid end) end`;

/**
 * The newest acts first, 50 at a time. Where an act was about players its detail begins with their names.
 *
 * @param before the id of an act: those before it
 */
export async function loadActs(queries: Queries, before: string | null): Promise<AdminActsView> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly at: bigint;
    readonly username: string | null;
    readonly act: AdminAct;
    readonly subject: string;
    readonly about: string | null;
    readonly detail: string;
  }>`
    select done.id, done.at, coalesce(profile.username, done.player_id) as username, done.act, done.subject, ${ABOUT} as about,
      done.detail
    from admin_acts done left join profiles profile on profile.id = done.player_id
    where ${before}::bigint is null or done.id < ${before}::bigint
    order by done.id desc limit ${PAGE + 1}`.execute(queries);
  const shown = rows.slice(0, PAGE);
  return {
    acts: shown.map(({ about, detail, ...row }) => ({
      ...row,
      id: String(row.id),
      at: Number(row.at),
      detail: about === null ? detail : `${about}: ${detail}`,
    })),
    next: rows.length > PAGE ? String(shown.at(-1)!.id) : null,
  };
}
