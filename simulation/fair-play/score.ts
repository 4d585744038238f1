import type { PlayerId } from "@holo/kernel/ids.ts";
import { describeFlow } from "./explain.ts";
import { toNaira } from "./honest.ts";
import type { PlayedScheme } from "./scheme-play.ts";
import type { World } from "./world.ts";

/** What was asked for of the coins that a scheme moved, by scheme. */
export interface SchemeScore {
  readonly kind: string;
  readonly schemes: number;
  readonly withdrawals: number;
  readonly dumpedNaira: number;
  readonly heldNaira: number;
  readonly judgedNaira: number;
}

export interface Score {
  readonly schemes: readonly SchemeScore[];
  readonly honest: { readonly withdrawals: number; readonly held: number; readonly byDispute: number };
  readonly refusals: ReadonlyMap<string, number>;
  /** One line for each miss and each false hold. */
  readonly explanations: readonly string[];
}

/** A withdrawal's coins of one origin. */
interface WithdrawnCoins {
  readonly reference: string;
  readonly player: PlayerId;
  readonly depositor: PlayerId;
  readonly origin: bigint;
  readonly coins: bigint;
  readonly waits: readonly string[];
  /** The payment that it is a part of, or itself. */
  readonly asked: string;
}

/** Compares what was held with what only the generator knows. */
export async function loadScore(world: World, schemes: readonly PlayedScheme[]): Promise<Score> {
  const memberOf = new Map(schemes.flatMap((scheme) => scheme.people.map(({ account }) => [account.id, scheme])));
  const withdrawn = await loadWithdrawn(world);
  const requests = new Map(world.requests.map((request) => [request.outcome, request]));
  const explanations: string[] = [];
  // Coins that a scheme only passes through are held by ruling 51.
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
    return {
      kind,
      schemes: all.length,
      withdrawals: new Set(dumped.map(({ asked }) => asked)).size,
      dumpedNaira: sumNaira(dumped),
      heldNaira: sumNaira(dumped.filter(isHeld)),
      judgedNaira: sumNaira(
        dumped.filter((one) =>
          requests.get(one.asked)?.flows.some((f) => f.decision === "hold" && f.depositIds.includes(one.origin)),
        ),
      ),
    };
  });

  const honest = withdrawn.filter(({ player }) => !memberOf.has(player));
  const held = honest.filter(({ waits }) => waits.includes("fair_play"));
  for (const coins of Map.groupBy(held, ({ reference }) => reference).values()) explain("FALSE", coins, "");
  for (const request of world.requests)
    if (!memberOf.has(request.person.account.id))
      for (const flow of request.flows)
        if (flow.decision === "hold") explanations.push(`JUDGED FALSE ${request.outcome} ${describeFlow(flow)}`);
  const refusals = new Map<string, number>();
  for (const { outcome } of world.requests)
    if (!outcome.includes("-")) refusals.set(outcome, (refusals.get(outcome) ?? 0) + 1);
  return {
    schemes: scores,
    honest: {
      withdrawals: new Set(honest.map(({ asked }) => asked)).size,
      held: new Set(held.map(({ asked }) => asked)).size,
      byDispute: 0,
    },
    refusals,
    explanations,
  };
}

const sumNaira = (coins: readonly WithdrawnCoins[]): number =>
  Math.round(toNaira(coins.reduce((sum, one) => sum + one.coins, 0n)));

function describe({ id, kind, scheme }: PlayedScheme): string {
  return `${kind}${id} ${JSON.stringify(scheme, (_, value: unknown) => (typeof value === "number" ? Math.round(value * 100) / 100 : value))}`;
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
