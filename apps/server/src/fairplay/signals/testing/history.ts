import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { EndReason, Pairing } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { makeTestLedger, naira, newPaymentId } from "../../../ledger/testing/test-ledger.ts";
import type { Database } from "../../../platform/database/database.ts";

interface Course {
  readonly end: EndReason;
  /** The engine's, for the loser. */
  readonly finalScore: number | null;
  readonly pairing: Pairing;
  /** The total of each player's stake, in holocoins. */
  readonly stake: number;
}

/** Given up in an even position. */
const THROWN: Course = { end: "resignation", finalScore: 0, pairing: "address", stake: 16 };
export const ON_BOARD: Partial<Course> = { end: "checkmate", finalScore: null };

/** Deposits and games as the ledger, the games and the engine keep them, without playing them. */
export class History {
  readonly #database: Database;
  readonly ledger: ReturnType<typeof makeTestLedger>;
  now: Instant;

  constructor(database: Database, now: Instant) {
    this.#database = database;
    this.now = now;
    this.ledger = makeTestLedger(database, () => this.now);
  }

  pass(ms: number): void {
    this.now = addMs(this.now, ms);
  }

  /** With an account that is so old, and a deposit of so many holocoins. */
  async addPlayer(deposit = 0, days = 0): Promise<PlayerId> {
    const playerId = await this.ledger.addPlayer(wholeCoins(0));
    const at = new Date(this.now - days * DAY_MS);
    const { kysely } = this.#database;
    await sql`insert into players (id, email, updated_at) values (${playerId}, ${`${playerId}@example.com`}, ${at})`.execute(
      kysely,
    );
    await sql`
      insert into profiles (id, username, created_at, updated_at) values (${playerId}, ${playerId.slice(0, 20)}, ${at}, ${at})`.execute(
      kysely,
    );
    if (deposit > 0) await this.deposit(playerId, deposit);
    return playerId;
  }

  async deposit(playerId: PlayerId, coins: number): Promise<PaymentId> {
    const paymentId = newPaymentId();
    await this.ledger.deposit(paymentId, playerId, naira(coins));
    return paymentId;
  }

  async withdraw(playerId: PlayerId, coins: number): Promise<void> {
    await this.ledger.withdraw(newPaymentId(), playerId, naira(coins));
  }

  /** So many games, ten minutes each, given up in an even position unless told otherwise. */
  async lose(times: number, loser: PlayerId, winner: PlayerId, changes: Partial<Course> = {}): Promise<void> {
    const { end, finalScore, pairing, stake } = { ...THROWN, ...changes };
    for (let game = 0; game < times; game += 1) {
      this.pass(10 * MINUTE_MS);
      const gameId = await this.ledger.play(wholeCoins(stake), [loser, winner], winner);
      const { kysely } = this.#database;
      const status = end === "time" ? "timeout" : "completed";
      await sql`
        insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, winner_id,
          end_reason, pairing, created_at, started_at, completed_at)
        values (${gameId}, 'chess', ${status}, ${loser}, ${winner}, 1, 740, 0, 300, ${winner}, ${end}, ${pairing},
          ${this.now - 9 * MINUTE_MS}, ${this.now - 8 * MINUTE_MS}, ${this.now})`.execute(kysely);
      await sql`
        update game_screenings set at = ${this.now}, version = 1, final_score = ${finalScore} where game_id = ${gameId}`.execute(
        kysely,
      );
      await sql`
        insert into rating_changes (game_id, player_id, game_type, pool, games, score, opponent_id, opponent_rating, opponent_deviation,
          rating, deviation, volatility, rated_at)
        select ${gameId}::uuid, side.id, 'chess', 'staked',
          1 + (select count(*) from rating_changes where player_id = side.id), side.score, side.other, 1450, 80, 1450, 80, 0.06, ${this.now}
        from (values (${loser}, ${winner}, 0), (${winner}, ${loser}, 1)) as side (id, other, score)`.execute(kysely);
    }
  }
}
