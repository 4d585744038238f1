import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatCoins, toCoins } from "@holo/kernel/money.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { formatCount } from "../apps/server/src/operations/format-count.ts";
import { type ArenaDatabase, openArenaDatabase } from "../e2e/support/database.ts";
import { type Account, register } from "./account.ts";
import { type Fault, type FaultRound, needsMachine } from "./faults/faults.ts";
import { injectFault } from "./faults/inject.ts";
import { runRounds } from "./faults/rounds.ts";
import { type Installation, makeInstallation } from "./installation.ts";
import { type BusySample, type Evidence, type FaultRecord, makeFaultRecord } from "./judge/evidence.ts";
import { judge, judgeAtRest, judgeSoFar } from "./judge/judge.ts";
import { judgePayments, type PaymentEvidence } from "./judge/payment-judge.ts";
import { makeFaultyMachine } from "./machine/machine.ts";
import { dialOver, type Network } from "./network.ts";
import { type Provider, startPaymentPlay, startProvider } from "./payment-play.ts";
import { type Play, startPlay } from "./play.ts";
import type { RecordedConnection, Recording } from "./recording.ts";
import type { Robot } from "./robot.ts";
import { compareWithStored, findConnectionString, openStoredGames, type StoredGames } from "./stored-games.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

export interface CampaignOptions {
  readonly seed: number;
  readonly games: number;
  /** How many share the database. Default: 1. */
  readonly servers?: number;
  /** Injected one after the other, with games in between. */
  readonly faults: readonly FaultRound[];
  readonly faultMs?: number;
  readonly players: number;
  readonly payers?: number;
  /** Judges during the run and ends with the first finding. */
  readonly isHasty?: boolean;
  /** Games go on until each of these commands was carried out. Default: none. */
  readonly carriedOut?: readonly string[];
  readonly report?: (text: string) => void;
}

interface CampaignReport {
  readonly games: number;
  readonly commands: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly views: number;
  readonly simulatedMs: number;
  readonly faults: readonly string[];
}

class Finding extends Error {}

/** Backed by the provider's stand-in; the daily comparison reports unbacked coins. */
const COINS = 900;
/** The balance of some players, who soon cannot pay any more. */
const FEW_COINS = 40;
const FEW_COINS_EVERY = 12;
const WATCHERS = 3;
const PACE_MS = 12;
/** A fault comes at a seeded instant within this time. */
const INSTANT_MS = 600;
const POLL_MS = 250;
/** The longest time in which no game ends. */
const PATIENCE_MS = 90_000;
const HASTY_PATIENCE_MS = 30_000;
const JUDGE_EVERY_MS = 3_000;
/** Nothing new passes in either direction and the database stays as it is for so long at rest. */
const QUIET_MS = 1_500;
/** Pushes may be that late at rest on a busy machine. */
const REST_MS_MAX = 12_000;
const LATE_MS = 6_000;
/** A probe that takes longer means that the machine is slow, which the judge must know. */
const SLOW_MS = 700;

/**
 * Robots play random games over faulty connections while the server stops and restarts. Then all
 * games finish, and everything received is compared with the database. Choices depend on the seed.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, games, faultMs = 2_000, players, servers = 1, payers = 0, carriedOut = [], isHasty = false } = options;
  const patienceMs = isHasty ? HASTY_PATIENCE_MS : PATIENCE_MS;
  const startedMs = Date.now();
  const report = (what: string): void => options.report?.(`${Math.round((Date.now() - startedMs) / 1_000)} s  ${what}`);
  const { missing, provider, server, database, stored, close } = await openParts({ ...options, servers, payers });
  const faults = missing === null ? options.faults : options.faults.flatMap(toPossible);
  const networks: Network[] = [];
  const record = makeFaultRecord();
  const busy: BusySample[] = [];
  const mayFail = payers > 0 || faults.flat().some((fault) => fault !== "kill" && fault !== "stop");
  const randomOf = (name: number) => makeRandom(seed * 1_009 + name);
  let isOver = false;
  let play: Play | null = null;

  async function loadEvidence(restMs: number | null = null): Promise<Evidence> {
    // What clients had been sent is older than what is read now, and what they sent is newer.
    const received = new Map(networks.map(({ recording }) => [recording, copyReceived(recording)]));
    const read = await stored.loadAll();
    const clients = networks.map(({ recording }) => copyRecording(recording, received.get(recording) ?? []));
    return { ...read, ...structuredClone(record), clients, busy: [...busy], restMs, isShared: servers > 1 };
  }

  /** The database may be down, or too slow for its time limits. */
  async function tryToLoadEvidence(): Promise<Evidence | null> {
    return await loadEvidence().catch(() => null);
  }

  /** Waits. A hasty campaign looks for findings meanwhile. */
  async function until(holds: () => boolean | Promise<boolean>, describe = (): string => ""): Promise<void> {
    const sinceMs = performance.now();
    let judgedMs = sinceMs;
    while (!(await holds())) {
      const isPatient = performance.now() - sinceMs < patienceMs;
      if (isHasty && (!isPatient || performance.now() - judgedMs > JUDGE_EVERY_MS)) {
        await findFirst(isPatient ? judgeSoFar : judge);
        judgedMs = performance.now();
      }
      if (!isPatient) {
        await saveEvidence(seed, await tryToLoadEvidence());
        throw new Finding(`after ${Math.round(patienceMs / 1_000)} s still not: ${holds}\n${describe()}`);
      }
      await sleep(POLL_MS);
    }
  }

  async function findFirst(judgeBy: typeof judge): Promise<void> {
    const evidence = await tryToLoadEvidence();
    const [first] = [...play!.all.flatMap((robot) => robot.faults), ...(evidence === null ? [] : judgeBy(evidence))];
    if (first === undefined) return;
    await saveEvidence(seed, evidence);
    throw new Finding(first);
  }

  /** Resolves once nothing is on its way any more, or not in time: then nothing is compared. */
  async function rest(at: Play): Promise<Evidence> {
    for (const sinceMs = performance.now(); ; ) {
      const [news, slow, before] = [at.countNews(), record.disturbances.length, await stored.countRows()];
      await sleep(QUIET_MS);
      const isSame = before !== null && before === (await stored.countRows());
      if (isSame && at.countNews() === news && slow === record.disturbances.length) break;
      if (performance.now() - sinceMs > REST_MS_MAX) {
        report("it never came to rest");
        return await loadEvidence();
      }
    }
    report("at rest");
    for (const sinceMs = performance.now(); ; await sleep(POLL_MS)) {
      const evidence = await loadEvidence(Date.now());
      if (judgeAtRest(evidence).length === 0 || performance.now() - sinceMs > LATE_MS) return evidence;
    }
  }

  try {
    const accounts = await addPlayers(server, database, players, payers);
    const dial = dialOver(server);
    play = startPlay({ ...stored, seed, accounts, dial, watchers: WATCHERS, paceMs: PACE_MS, networks });
    const { robots, all } = play;
    const watching = watchMachine(server, record, busy, () => isOver);
    const payersOf = { payers: accounts.slice(0, payers), all: accounts };
    const toRandom = (index: number) => randomOf(2_000 + index);
    const paying =
      provider === null ? null : await startPaymentPlay(server, provider, database, stored, payersOf, toRandom);
    const instants = randomOf(3_000);
    const targets = { installation: server, provider, random: randomOf(3_001), networks, robots, record };

    let round = -1;
    await runRounds<FaultRound>({
      async next() {
        round += 1;
        const target = Math.floor((games * (round + 1)) / (faults.length + 1));
        for (let ended = await stored.countEnded(); ended < target; ended = await stored.countEnded()) {
          const before = ended;
          await until(async () => (await stored.countEnded()) > before);
        }
        report(`${formatCount(await stored.countEnded(), "game")} ended`);
        await sleep(instants(INSTANT_MS));
        return faults[round] ?? null;
      },
      record,
      async inject(fault) {
        const victim = instants(servers);
        await Promise.all([fault].flat().map((one) => injectFault(one as Fault, { ...targets, victim }, faultMs)));
        await until(server.isReady);
      },
      async survived(fault) {
        report(`survived: ${[fault].flat().join(" with ")}`);
        if (isHasty) await findFirst(judgeSoFar);
      },
    });

    const findMissing = (): readonly string[] => carriedOut.filter((command) => !sumCounts(robots).has(command));
    await until(
      () => findMissing().length === 0,
      () => `never carried out: ${findMissing().join(", ")}`,
    );
    play.rest();
    paying?.setPaused(true);
    const early = await rest(play);
    const restless = isHasty ? judge(early) : judgeAtRest(early);
    if (isHasty && restless[0] !== undefined) throw new Finding(restless[0]);
    paying?.setPaused(false);
    play.goOn();
    play.finish();
    const { describePending } = play;
    await until(
      () => describePending().length === 0,
      () => describePending().join("\n"),
    );
    isOver = true;
    play.end();
    report("all games are over");
    await Promise.all([play.running, watching]);
    await paying?.finish(server, record);
    report("all payments are over");
    const found = [
      ...(missing === null ? [] : [missing]),
      ...all.flatMap((robot) => robot.faults),
      ...(await compareSessions(accounts, database)),
    ];
    const evidence = await rest(play);
    for (const robot of all) robot.close();
    found.push(...restless, ...judge(evidence), ...compareWithStored(evidence.games, all));
    const money = paying === null ? null : await paying.loadEvidence();
    if (money !== null) found.push(...judgePayments(evidence, money));
    if (found.length > 0) await saveEvidence(seed, evidence, money);
    const broken = await database.audit();
    if (broken !== null) found.push(`${broken.name}: ${broken.found}`);
    found.push(...server.takeLoggedErrors().filter((line) => !mayFail || line.includes('"BrokenInvariant"')));
    return {
      games: await stored.countEnded(),
      commands: sumCounts(robots),
      acknowledged: robots.reduce((sum, { acknowledged }) => sum + acknowledged(), 0),
      views: all.reduce((sum, { seen }) => sum + seen.size, 0),
      simulatedMs: Date.now() - startedMs + record.jumps.reduce((sum, { byMs }) => sum + byMs, 0),
      faults: found,
    };
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    return { games: 0, commands: new Map(), acknowledged: 0, views: 0, simulatedMs: 0, faults: [error.message] };
  } finally {
    isOver = true;
    play?.end();
    for (const client of play?.all ?? []) client.close();
    await close();
  }
}

interface Parts {
  /** Why no machine could be built that some of the faults need. */
  readonly missing: string | null;
  readonly provider: Provider | null;
  readonly server: Installation;
  readonly database: ArenaDatabase;
  readonly stored: StoredGames;
  close(): Promise<void>;
}

/** A start that fails leaves nothing. */
async function openParts({
  seed,
  faults,
  servers,
  payers,
}: CampaignOptions & { readonly servers: number; readonly payers: number }): Promise<Parts> {
  await using opened = new AsyncDisposableStack();
  let missing: string | null = null;
  const say = (why: string): void => {
    missing = why;
  };
  const machine = faults.flat().some(needsMachine) ? makeFaultyMachine(say) : null;
  if (machine !== null) opened.defer(machine.remove);
  const provider = payers > 0 ? await startProvider() : null;
  if (provider !== null) opened.defer(provider.stop);
  const server = await makeInstallation(servers, provider?.env ?? {}, makeRandom(seed), machine);
  opened.defer(server.remove);
  await server.start();
  const database = await openArenaDatabase(server.dataDir);
  opened.defer(database.close);
  const stored = openStoredGames(await findConnectionString(server.dataDir));
  opened.defer(stored.close);
  await stored.watchOwners();
  const parts = opened.move();
  return { missing, provider, server, database, stored, close: () => parts.disposeAsync() };
}

async function addPlayers(
  { url }: Installation,
  database: ArenaDatabase,
  players: number,
  payers: number,
): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (let i = 0; i < players; i += 1) {
    const account = await register(url, database);
    await database.addCoins(account.id, i % FEW_COINS_EVERY === FEW_COINS_EVERY - 1 ? FEW_COINS : COINS);
    if (i < payers) await database.verify(account.id);
    accounts.push(account);
  }
  return accounts;
}

/** The command that runs the same campaign again. Timing differs, so a fault may need some runs. */
export function toRepeatCommand(options: CampaignOptions): string {
  const { seed, games, servers = 1, faults, faultMs, players, payers = 0 } = options;
  const counts = `--seed ${seed} --servers ${servers} --games ${games} --players ${players} --payers ${payers}`;
  const lasting = faultMs === undefined ? "" : ` --fault-ms ${faultMs}`;
  return `npm run simulate -- ${counts} --faults "${faults.map((fault) => [fault].flat().join("+")).join()}"${lasting}`;
}

/** For investigating a fault: what each client was sent, and what was stored. */
async function saveEvidence(
  seed: number,
  evidence: Evidence | null,
  money: PaymentEvidence | null = null,
): Promise<void> {
  if (evidence === null) return;
  const folder = path.join(ROOT, ".cache", "simulation");
  await mkdir(folder, { recursive: true });
  const { wallets: _, games, ...rest } = evidence;
  const logs = Object.fromEntries([...games].map(([id, { log, chat }]) => [id, { log, chat }]));
  const paid = money === null ? {} : { payments: money.payments, provider: money.provider, answers: money.answers };
  const text = JSON.stringify({ ...rest, ...paid, games: logs }, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  await writeFile(path.join(folder, `${seed}.json`), text);
}

/** At rest, a session shows the database's state. */
async function compareSessions(accounts: readonly Account[], database: ArenaDatabase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const account of accounts) {
    const session = await account.loadSession();
    const balance = session === undefined ? null : formatCoins(toCoins(BigInt(session.balance)), "down", 6);
    const stored = await database.balance(account.id);
    if (balance !== stored) found.push(`${account.username} is shown ${balance} HC of ${stored}`);
    if (session?.openGame != null) found.push(`${account.username} is shown a game that is over`);
  }
  return found;
}

/** What is left of a round without a machine that can be broken. */
function toPossible(round: FaultRound): readonly FaultRound[] {
  const left = [round].flat().filter((fault) => !needsMachine(fault as Fault)) as readonly Fault[];
  return left.length === 0 ? [] : left.length === 1 ? [left[0]!] : [[left[0]!, left[1]!]];
}

/** Notes when this machine was slow: then late is not missing. */
async function watchMachine(
  server: Installation,
  { disturbances }: FaultRecord,
  busy: BusySample[],
  isOver: () => boolean,
): Promise<void> {
  const busyOf = new Map<number, number>();
  while (!isOver()) {
    for (const [pid, busyMs] of server.servers.flatMap(readBusyMs)) busyOf.set(pid, busyMs);
    if (busyOf.size > 0) busy.push({ atMs: Date.now(), busyMs: [...busyOf.values()].reduce((sum, ms) => sum + ms, 0) });
    const fromMs = Date.now();
    await sleep(POLL_MS);
    await server.isReady();
    const toMs = Date.now();
    if (toMs - fromMs > POLL_MS + SLOW_MS) disturbances.push({ fromMs: fromMs - SLOW_MS, toMs });
  }
}

/** How long the main thread ran or waited for a processor; nothing if that is not known. */
function readBusyMs(server: Installation["servers"][number]): readonly (readonly [pid: number, ms: number])[] {
  try {
    const pid = server.pid();
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return [[pid, (ranNs! + waitedNs!) / 1_000_000]];
  } catch {
    return [];
  }
}

type Received = RecordedConnection["received"];

function copyReceived({ connections }: Recording): readonly Received[] {
  return connections.map(({ received }) => [...received]);
}

function copyRecording({ account, connections }: Recording, allReceived: readonly Received[]): Recording {
  const copies = connections.map(({ sent, silentFromMs, server }, index) => ({
    received: allReceived[index] ?? [],
    sent: [...sent],
    silentFromMs,
    server,
  }));
  return { account, connections: copies };
}

function sumCounts(robots: readonly Robot[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of robots) for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
