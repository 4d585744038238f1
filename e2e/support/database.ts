import { readFileSync } from "node:fs";
import path from "node:path";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { formatCoins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { hashPassword } from "../../apps/server/src/accounts/password/password-hash.ts";
import { addTestPlayers, type TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { parseConfig } from "../../apps/server/src/config.ts";
import { toFinalScore } from "../../apps/server/src/fairplay/engine/final-score.ts";
import { saveFinalScores } from "../../apps/server/src/fairplay/engine/screening-store.ts";
import type { RatedGame } from "../../apps/server/src/game/game.ts";
import { addEndedGames, type EndedGame } from "../../apps/server/src/game/testing/ended-games.ts";
import { listInvariants } from "../../apps/server/src/invariants.ts";
import { openWallet, postOpening } from "../../apps/server/src/ledger/ledger.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { auditDatabase, type BrokenFinding } from "../../apps/server/src/platform/database/invariant.ts";
import { transact } from "../../apps/server/src/platform/database/transaction.ts";
import { openFiles } from "../../apps/server/src/platform/files/open-files.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { findPostgresDirectories } from "../../apps/server/src/platform/postgres/directories.ts";
import { findServiceUser } from "../../apps/server/src/platform/postgres/service-user.ts";
import { RatingFold } from "../../apps/server/src/players/ratings/rated-games.ts";

/** Direct access to the database of a test server. Coin amounts have six decimals. */
export interface ArenaDatabase {
  addPlayer(username: string, password: string): Promise<TestPlayer>;
  addOwner(password: string): Promise<TestPlayer>;
  verify(playerId: string): Promise<void>;
  /** As no request can. */
  addCoins(playerId: string, hc: number): Promise<void>;
  /** Finished games, rated, without logs and money. The result removes them before an audit. */
  addEndedGames(games: readonly EndedGame[]): Promise<() => Promise<void>>;
  countRanked(): Promise<number>;
  /** Whether the engine has judged the last positions. */
  /** Does what the server does when its machine has time. */
  screen(gameIds: readonly GameId[]): Promise<void>;
  balance(playerId: string): Promise<string>;
  revenue(gameId: GameId): Promise<string>;
  listEntryKinds(gameId: GameId): Promise<readonly string[]>;
  ageCodes(playerId: string): Promise<void>;
  holdPayouts(): Promise<void>;
  escrow(gameId: GameId): Promise<string>;
  audit(): Promise<BrokenFinding | null>;
  close(): Promise<void>;
}

const OWNER = "owner";

export async function openArenaDatabase(dataDir: string): Promise<ArenaDatabase> {
  const log = openLog("silent");
  const config = parseConfig({ DATA_DIR: dataDir });
  if (!config.ok) throw new Error(config.refusal.join("\n"));
  const { files } = config.value;
  const { socketDir } = await findPostgresDirectories(dataDir, findServiceUser(), log);
  const connectionString = `postgresql://holo@${encodeURIComponent(socketDir)}/holo`;
  const database = openDatabase({ connectionString, log, poolSize: 1 });

  async function sum(sql: string, owner: string): Promise<string> {
    const { rows } = await database.pool.query<{ coins: string }>(sql, [owner]);
    return formatCoins(toCoins(BigInt(rows[0]?.coins ?? "0")), "down", 6);
  }

  let hashedPassword: { readonly password: string; readonly hash: string } | null = null;

  let owner: Promise<TestPlayer> | null = null;

  async function verify(playerId: string): Promise<void> {
    await database.pool.query("update players set email_verified = true where id = $1", [playerId]);
  }

  async function enrol(username: string, password: string): Promise<TestPlayer> {
    hashedPassword =
      hashedPassword?.password === password ? hashedPassword : { password, hash: await hashPassword(password) };
    const secret = readFileSync(path.join(dataDir, "auth-secret"), "utf8");
    const [player] = await addTestPlayers(database, [username], secret, hashedPassword.hash);
    if (player === undefined) throw new Error(`${username} was not added`);
    await transact(database, (tx) => openWallet(tx, player.id, toInstant(Date.now())));
    return player;
  }

  async function enrolOwner(password: string): Promise<TestPlayer> {
    const player = await enrol(OWNER, password);
    await verify(player.id);
    return player;
  }

  async function rateEndedGames(players: readonly PlayerId[]): Promise<void> {
    const { rows } = await database.pool.query<RatedGame & { readonly winnerId: PlayerId | null }>(
      `select id as "gameId", game_type as game, case when stake_amount > 0 then 'staked' else 'free' end as pool,
         array[player1_id, player2_id] as players, winner_id as "winnerId", completed_at::float8 as at
       from games where player1_id = any($1) and status in ('completed', 'timeout') order by completed_at, id`,
      [players],
    );
    const fold = new RatingFold();
    const changes = rows.flatMap(({ winnerId, ...game }) =>
      fold.rate({ ...game, winner: winnerId === null ? null : winnerId === game.players[0] ? 1 : 2 }),
    );
    await database.pool.query(
      `with added as (insert into rating_changes
         select * from jsonb_populate_recordset(null::rating_changes, $1::jsonb) returning *)
       insert into ratings select distinct on (player_id, game_type, pool)
         player_id, game_type, pool, rating, deviation, volatility, games, rated_at
       from added order by player_id, game_type, pool, games desc`,
      [JSON.stringify(changes)],
    );
  }

  return {
    addPlayer: enrol,
    addOwner(password) {
      owner ??= enrolOwner(password);
      return owner;
    },
    verify,
    async holdPayouts() {
      // An hour ahead, so that no comparison of the server ends it.
      const at = Date.now() + 3_600_000;
      const insert = "insert into payout_holds (cause, from_at, compare_from) values ('restore', $1, $1)";
      await database.pool.query(insert, [at]);
    },
    async addCoins(playerId, hc) {
      await transact(database, (tx) =>
        postOpening(tx, {
          playerId: playerId as PlayerId,
          amount: wholeCoins(hc),
          at: toInstant(Date.now()),
        }),
      );
    },
    async addEndedGames(games) {
      await addEndedGames(database, games);
      const players = [...new Set(games.flatMap(({ white, black }) => [white, black]))];
      await rateEndedGames(players);
      return async () => {
        await database.pool.query("delete from ratings where player_id = any($1)", [players]);
        await database.pool.query("delete from rating_changes where player_id = any($1)", [players]);
        await database.pool.query("delete from games where player1_id = any($1)", [players]);
        await database.pool.query("delete from player_outcomes where player_id = any($1)", [players]);
      };
    },
    async countRanked() {
      const query = "select count(distinct player_id)::int as ranked from player_outcomes";
      const { rows } = await database.pool.query<{ ranked: number }>(query);
      return rows[0]!.ranked;
    },
    async screen(gameIds) {
      const { rows } = await database.pool.query<{ id: GameId; game: GameType; board: string; loser: Seat }>(
        `select id, game_type as game, board_state as board, case when winner_id = player1_id then 2 else 1 end as loser
         from current_games where id = any($1)`,
        [gameIds],
      );
      const scores = await Promise.all(
        rows.map(async ({ id: gameId, game, board, loser }) => {
          return { gameId, finalScore: await toFinalScore(game, board, loser), isSampled: false };
        }),
      );
      await saveFinalScores(database.kysely, scores, toInstant(Date.now()));
    },
    // Summed from the postings, independent of the stored balance.
    balance: (playerId) => sum(SUM_OF_ACCOUNT.replace("KIND", "wallet"), playerId),
    escrow: (gameId) => sum(SUM_OF_ACCOUNT.replace("KIND", "escrow"), gameId),
    revenue: (gameId) =>
      sum(
        `select coalesce(sum(p.amount), 0)::text as coins from ledger_postings p
         join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
         where a.kind = 'revenue' and e.settled_game = $1`,
        gameId,
      ),
    async ageCodes(playerId) {
      await database.pool.query(
        "update sessions set second_factor_at = second_factor_at - interval '1 hour' where player_id = $1",
        [playerId],
      );
    },
    async listEntryKinds(gameId) {
      const { rows } = await database.pool.query<{ kind: string }>(
        `select distinct e.id, e.kind from ledger_entries e join ledger_postings p on p.entry_id = e.id
         join ledger_accounts a on a.id = p.account_id where a.kind = 'escrow' and a.owner = $1 order by e.id`,
        [gameId],
      );
      return rows.map(({ kind }) => kind);
    },
    audit: () => auditDatabase(database, listInvariants(openFiles(files))),
    close: () => database.close(),
  };
}

const SUM_OF_ACCOUNT = `select coalesce(sum(p.amount), 0)::text as coins from ledger_postings p
  join ledger_accounts a on a.id = p.account_id where a.kind = 'KIND' and a.owner = $1`;
