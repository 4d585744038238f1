import type { PlayerId } from "@holo/kernel/ids.ts";
import { describeFlow } from "./explain.ts";
import { toNaira } from "./honest.ts";
import type { PlayedScheme } from "./scheme-play.ts";
import type { World } from "./world.ts";

/** What was asked for of the coins that schemes of one kind moved. */
export interface SchemeScore {
  readonly kind: string;
  readonly schemes: number;
  /** Withdrawals with dumped coins: all of them held, a part of them, none. */
  readonly withdrawals: { readonly held: number; readonly partly: number; readonly paid: number };
  readonly dumpedNaira: number;
  readonly heldNaira: number;
  /** Of those who let an engine play: with a case, and in all. */
  readonly engines: { readonly found: number; readonly all: number };
}

export interface Score {
  readonly schemes: readonly SchemeScore[];
  /** `held` for what the player did; `byDispute` for a deposit of others (ruling 52). */
  readonly honest: { readonly withdrawals: number; readonly held: number; readonly byDispute: number };
  /** By kind; those of honest players apart. */
  readonly cases: ReadonlyMap<string, { readonly all: number; readonly honest: number }>;
  readonly refusals: ReadonlyMap<string, number>;
  /** One for each miss and each false hold. */
  readonly explanations: readonly string[];
}

/** A withdrawal's coins of one origin. */
interface WithdrawnCoins {
  readonly reference: string;
  readonly player: PlayerId;
  readonly depositor: PlayerId;
  readonly origin: bigint;
  readonly coins: bigint;
  /** What the payment waited for. */
  readonly waits: readonly string[];
  /** The payment that it is a part of, or itself. */
  readonly asked: string;
}

interface Case {
  readonly kind: string;
  readonly player: PlayerId;
  readonly origins: readonly bigint[];
  /** What the server had found, as it is stored. */
  readonly flows: unknown;
}

/** Compares what was held with what only the generator knows. */
export async function loadScore(world: World, schemes: readonly PlayedScheme[]): Promise<Score> {
  const memberOf = new Map(schemes.flatMap((scheme) => scheme.people.map(({ account }) => [account.id, scheme])));
  const [withdrawn, cases] = await Promise.all([loadWithdrawn(world), loadCases(world)]);
  const requests = new Map(world.requests.map((request) => [request.outcome, request]));
  const explanations: string[] = [];
  // Coins that a scheme only passes through wait by ruling 51.
  const isHeld = (one: WithdrawnCoins): boolean =>
    one.waits.includes("fair_play") || (memberOf.get(one.player)?.scheme.type === "through" && one.waits.length > 0);

  function explain(why: string, coins: readonly WithdrawnCoins[], about: string): void {
    const { reference, asked, player } = coins[0]!;
    const flows = requests.get(asked)?.flows ?? [];
    const concerned = flows.filter(({ depositIds }) => coins.some(({ origin }) => depositIds.includes(origin)));
    const said = concerned.map((flow) => `\n    ${describeFlow(flow)}`).join("");
    explanations.push(`${why} ${reference} of ${player}: ₦${sumNaira(coins)} ${about}${said || "\n    no flow"}`);
  }

  const scores = [...Map.groupBy(schemes, ({ kind }) => kind)].map(([kind, all]): SchemeScore => {
    const dumped = withdrawn.filter(({ player, depositor }) => {
      const scheme = memberOf.get(player);
      if (scheme === undefined || !all.includes(scheme)) return false;
      return scheme.scheme.type === "through" || (player !== depositor && memberOf.get(depositor) === scheme);
    });
    const missed = dumped.filter((one) => !isHeld(one));
    for (const coins of Map.groupBy(missed, ({ reference }) => reference).values())
      explain("MISS", coins, describe(memberOf.get(coins[0]!.player)!));
    const byAsked = [...Map.groupBy(dumped, ({ asked }) => asked).values()];
    const held = byAsked.filter((coins) => coins.every(isHeld)).length;
    const paid = byAsked.filter((coins) => !coins.some(isHeld)).length;
    const engines = all.filter(({ scheme }) => scheme.type === "engine");
    const found = engines.filter(({ people }) =>
      cases.some((one) => one.kind === "engine" && people.some(({ account }) => account.id === one.player)),
    );
    for (const one of engines.filter((engine) => !found.includes(engine)))
      explanations.push(`ENGINE NOT FOUND ${describe(one)}`);
    return {
      kind,
      schemes: all.length,
      withdrawals: { held, partly: byAsked.length - held - paid, paid },
      dumpedNaira: sumNaira(dumped),
      heldNaira: sumNaira(dumped.filter(isHeld)),
      engines: { found: found.length, all: engines.length },
    };
  });

  const honest = withdrawn.filter(({ player }) => !memberOf.has(player));
  const held = honest.filter(({ waits }) => waits.includes("fair_play"));
  const findOwn = (coins: WithdrawnCoins) =>
    cases.find(
      ({ kind, player, origins }) =>
        (kind === "flow" || kind === "engine") && player === coins.player && origins.includes(coins.origin),
    );
  // A part that is too small to be sent alone waits with the rest of its withdrawal.
  const suspected = new Set(held.flatMap((coins) => (findOwn(coins) === undefined ? [] : coins.asked)));
  const [own, byDispute] = split(held, ({ asked }) => suspected.has(asked));
  for (const coins of Map.groupBy(own, ({ reference }) => reference).values())
    explain("FALSE", coins, `for ${JSON.stringify(coins.map(findOwn).find((one) => one !== undefined)?.flows)}`);
  const countAsked = (coins: readonly WithdrawnCoins[]): number => new Set(coins.map(({ asked }) => asked)).size;
  return {
    schemes: scores,
    honest: { withdrawals: countAsked(honest), held: countAsked(own), byDispute: countAsked(byDispute) },
    cases: new Map(
      [...Map.groupBy(cases, ({ kind }) => kind)].map(([kind, all]) => [
        kind,
        { all: all.length, honest: all.filter(({ player }) => !memberOf.has(player)).length },
      ]),
    ),
    refusals: countRefusals(world),
    explanations,
  };
}

function split<Value>(values: readonly Value[], isFirst: (value: Value) => boolean): readonly [Value[], Value[]] {
  const first = values.filter(isFirst);
  return [first, values.filter((value) => !first.includes(value))];
}

function countRefusals({ requests }: World): ReadonlyMap<string, number> {
  // A reference has hyphens, a refusal has none.
  const refused = requests.filter(({ outcome }) => !outcome.includes("-"));
  return new Map([...Map.groupBy(refused, ({ outcome }) => outcome)].map(([code, all]) => [code, all.length]));
}

const sumNaira = (coins: readonly WithdrawnCoins[]): number =>
  Math.round(toNaira(coins.reduce((sum, one) => sum + one.coins, 0n)));

function describe({ id, kind, scheme }: PlayedScheme): string {
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Math.round(value * 100) / 100 : value;
  return `${kind}${id} ${JSON.stringify(scheme, shorten)}`;
}

async function loadWithdrawn({ arena }: World): Promise<readonly WithdrawnCoins[]> {
  const { rows } = await arena.database.pool.query<WithdrawnCoins>(`
    select payment.reference, payment.player_id as player, depositor.owner as depositor, piece.deposit_id as origin,
      exit.coins, coalesce(whole.reference, payment.reference) as asked,
      array(select fact.outcome from payment_facts fact
        where fact.payment_id = payment.id and fact.type = 'waits') as waits
    from payments payment
      left join payments whole on whole.id = payment.part_of
      join ledger_entries entry on entry.kind = 'withdrawal' and entry.source = payment.id::text
      join coin_exits exit on exit.entry_id = entry.id
      join coin_pieces piece on piece.id = exit.piece_id
      join coin_pieces origin on origin.id = piece.deposit_id
      join ledger_accounts depositor on depositor.id = origin.wallet_id
    where payment.kind = 'withdrawal'`);
  return rows;
}

async function loadCases({ arena }: World): Promise<readonly Case[]> {
  const { rows } = await arena.database.pool.query<Case>(
    "select kind, player_id as player, deposit_ids as origins, finding->'flows' as flows from fair_play_cases",
  );
  return rows;
}
