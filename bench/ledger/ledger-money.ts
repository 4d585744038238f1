import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { toCoins, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { openWallet, postOpening, postWithdrawalHold } from "../../apps/server/src/ledger/ledger.ts";
import { postStake, postWin } from "../../apps/server/src/ledger/testing/game-postings.ts";
import { openDatabase, type Tx } from "../../apps/server/src/platform/database/database.ts";
import { transact } from "../../apps/server/src/platform/database/transaction.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import {
  BUY_IN,
  CONNECTIONS,
  FINAL_HASH,
  KOBO,
  type MoneyWriter,
  OPENING_HC,
  PAYOUT,
  RATE_KOBO,
} from "./money-terms.ts";

export async function openLedgerMoney(connectionString: string, players: readonly string[]): Promise<MoneyWriter> {
  const database = openDatabase({ connectionString, log: openLog("error"), poolSize: CONNECTIONS });
  const at = toInstant(Date.now());
  await transact(database, async (tx) => {
    for (const id of players) {
      await openWallet(tx, id as PlayerId, at);
      await postOpening(tx, { playerId: id as PlayerId, amount: wholeCoins(OPENING_HC), at });
    }
  });
  const post = async (work: (tx: Tx) => Promise<{ readonly ok: boolean }>): Promise<void> => {
    const { ok } = await transact(database, work);
    assert(ok, "what is posted here is always covered");
  };
  return {
    async game(id, first, second) {
      const gameId = id as GameId;
      const stake = { gameId, amount: toCoins(BUY_IN) };
      await post((tx) => postStake(tx, { ...stake, seat: 1, playerId: first as PlayerId, at: toInstant(Date.now()) }));
      await post((tx) => postStake(tx, { ...stake, seat: 2, playerId: second as PlayerId, at: toInstant(Date.now()) }));
      const win = {
        gameId,
        winnerId: first as PlayerId,
        winnings: toCoins(PAYOUT.winnings),
        platformFee: toCoins(PAYOUT.platformFee),
        finalHash: FINAL_HASH,
      };
      await post((tx) => postWin(tx, { ...win, at: toInstant(Date.now()) }));
    },
    async withdrawal(id, playerId) {
      const order = {
        paymentId: id as PaymentId,
        reference: `holo-${id}`,
        playerId: playerId as PlayerId,
        kobo: toKobo(KOBO),
        rateKobo: RATE_KOBO,
      };
      await post((tx) => postWithdrawalHold(tx, { ...order, at: toInstant(Date.now()) }));
    },
    close: () => database.close(),
  };
}
