import { randomUUID } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Random } from "@holo/kernel/random.ts";
import type { Account } from "./account.ts";
import type { StoredGames } from "./stored-games.ts";

/** What staff, players and visitors ask for beside games and payments. */
interface OddRequests {
  /** Requests that were carried out, which a correct server refuses. */
  readonly wrong: readonly string[];
  takeTurn(): Promise<void>;
  /** Ends what would keep a payment from its end. */
  finish(): Promise<void>;
}

interface OddRequestsDeps {
  readonly url: string;
  readonly accounts: readonly Account[];
  readonly payers: readonly Account[];
  readonly owner: Pick<Account, "cookie">;
  /** Plays no game, and has not verified the address. */
  readonly stranger: Account;
  /** Has no address. */
  readonly nameless: Account;
  readonly stored: Pick<StoredGames, "listByStatus" | "findActivePair">;
  readonly random: Random;
}

type Caller = Pick<Account, "cookie"> | null;

const BANK_CODE = "057";
const ACCOUNT_NUMBER = "1234567890";
const KOBO = 500_000;
const REASON = "As the simulation decides.";
const UNKNOWN_TOKEN = "A".repeat(43);
/** A hold lasts for so many turns, so that its player tries to withdraw. */
const HELD_TURNS = 8;

export function startOddRequests(deps: OddRequestsDeps): OddRequests {
  const { url, accounts, payers, owner, stranger, nameless, stored, random } = deps;
  const wrong: string[] = [];
  let held: { readonly player: PlayerId; turns: number } | null = null;
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;

  /** "done", or why not; null without an answer. */
  async function call(by: Caller, method: string, path: string, body?: object): Promise<string | null> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { origin: url, "content-type": "application/json", ...(by === null ? {} : { cookie: by.cookie }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      if (response.ok) return "done";
      const { code } = (await response.json()) as { readonly code: string };
      return code;
    } catch {
      // The server is down, or the answer is lost.
      return null;
    }
  }

  async function mustRefuse(by: Caller, method: string, path: string, body?: object): Promise<void> {
    if ((await call(by, method, path, body)) === "done")
      wrong.push(`${method} ${path} ${JSON.stringify(body ?? {})} was carried out`);
  }

  const depositBody = (): object => ({ commandId: randomUUID(), kobo: KOBO, payKobo: KOBO, rateKobo: 1 });
  const accountBody = (accountNumber: string, bankCode: string): object => ({ accountNumber, bankCode });
  const [anotherGame, anotherPlayer] = [randomUUID() as GameId, randomUUID()];

  async function withdrawUnverified(): Promise<void> {
    await call(stranger, "POST", "/api/accounts/verify", accountBody(ACCOUNT_NUMBER, BANK_CODE));
    const wallet = await fetch(`${url}/api/wallet`, { headers: { cookie: stranger.cookie } }).catch(() => null);
    if (wallet?.ok !== true) return;
    const { rateKobo } = (await wallet.json()) as { readonly rateKobo: number };
    const order = {
      commandId: randomUUID(),
      kobo: KOBO,
      feeKobo: 0,
      rateKobo,
      ...accountBody(ACCOUNT_NUMBER, BANK_CODE),
    };
    await mustRefuse(stranger, "POST", "/api/withdrawals", order);
  }

  async function blockOpponent(): Promise<void> {
    const [blocker, blocked] = (await stored.findActivePair()) ?? [];
    const account = accounts.find(({ id }) => id === blocker);
    if (account !== undefined)
      await call(account, "PATCH", `/api/players/${blocked}/relation`, { blocked: random(4) > 0 });
  }

  async function cancelGame(): Promise<void> {
    const [gameId = anotherGame] = random(4) > 0 ? await stored.listByStatus("active") : [];
    await call(owner, "POST", "/api/admin/games/cancel", { gameId, reason: REASON });
  }

  async function endHold(): Promise<void> {
    if (held === null) return;
    const path = `${url}/api/admin/players/${held.player}`;
    const file = await fetch(path, { headers: { cookie: owner.cookie } }).catch(() => null);
    if (file?.ok !== true) return;
    const { withdrawalHoldId } = (await file.json()) as { readonly withdrawalHoldId: string | null };
    const order = { playerId: held.player, holdId: withdrawalHoldId ?? "0", reason: REASON };
    const answer = await call(owner, "POST", "/api/admin/holds/end", order);
    if (answer === "done" || answer === "hold_unchanged") held = null;
  }

  async function holdWithdrawals(): Promise<void> {
    const player = pick(payers).id;
    held = { player, turns: 0 };
    await call(owner, "POST", "/api/admin/holds", { playerId: player, reason: REASON });
  }

  const ACTS: readonly (() => Promise<unknown>)[] = [
    () => mustRefuse(null, "POST", "/api/deposits", depositBody()),
    () => mustRefuse(nameless, "POST", "/api/deposits", depositBody()),
    () => mustRefuse(stranger, "POST", "/api/accounts/verify", accountBody("123", BANK_CODE)),
    () => mustRefuse(stranger, "POST", "/api/accounts/verify", accountBody(ACCOUNT_NUMBER, "000")),
    () => mustRefuse(null, "GET", `/api/players/${anotherPlayer}`),
    () => mustRefuse(stranger, "PATCH", `/api/players/${stranger.id}/relation`, { blocked: true }),
    () => mustRefuse(null, "GET", `/api/invitations/${UNKNOWN_TOKEN}`),
    () => mustRefuse(null, "GET", `/api/matches/${anotherGame}/log`),
    async () => call(null, "GET", `/api/matches/${(await stored.listByStatus("active"))[0] ?? anotherGame}/log`),
    () => call(pick(accounts), "PATCH", "/api/profile", { takebacksEnabled: random(3) > 0 }),
    withdrawUnverified,
    blockOpponent,
    cancelGame,
  ];

  return {
    wrong,
    async takeTurn() {
      if (held === null) {
        if (random(6) === 0) await holdWithdrawals();
      } else {
        held.turns += 1;
        if (held.turns > HELD_TURNS) await endHold();
      }
      await pick(ACTS)();
    },
    async finish() {
      await endHold();
      if (held !== null) throw new Error("the hold of withdrawals has not ended");
    },
  };
}
