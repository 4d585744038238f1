import type { Mutant } from "./mutants.ts";

const GAME = "apps/server/src/game";
const SERVERS = "apps/server/src/platform/servers";
const OWN_TEST = `${SERVERS}/own-server.test.ts`;
const LINKS_TEST = `${SERVERS}/links.test.ts`;

/** Without a test that must fail: virtual runs with two servers. */
type OwnerMutant = Omit<Mutant, "expects"> & Partial<Pick<Mutant, "expects">>;

const ANY = /./;

/** Each rule of owning games undone once; some in two ways. */
const RULES: readonly OwnerMutant[] = [
  {
    name: "1: a game is read before it is claimed",
    file: `${GAME}/table/tables.ts`,
    find: "    const claims = await claimGames(database.kysely, fence, ids);\n    const here",
    replace: `    const early = await loadTableContents(database.kysely, loadPlayers, ids);
    const claims = await claimGames(database.kysely, fence, ids);
    const loadTableContents = async () => early;
    const here`,
  },
  {
    name: "2: a batch of moves is written without the fence",
    file: `${GAME}/log/game-writer.ts`,
    find: "where server_id = $1 and ended_at is null\n      and",
    replace: "where server_id = $1\n      and",
    test: `${GAME}/log/fence.race.test.ts`,
  },
  {
    name: "2b: a batch of moves does not lock the fence",
    file: `${GAME}/log/game-writer.ts`,
    find: "::text = $2 for share)",
    replace: "::text = $2)",
    test: `${GAME}/log/fence.race.test.ts`,
  },
  {
    name: "3: an ended server lives again",
    file: `${SERVERS}/own-server.ts`,
    find: "else await this.#renew(client);",
    replace: `else
      await client.query(
        "update servers set ended_at = null, last_beat_at = null, end_cause = null where server_id = $1",
        [this.id],
      );`,
    test: OWN_TEST,
  },
  {
    name: "4: clocks of servers are compared",
    file: `${SERVERS}/others.ts`,
    find: "stillMs >= ENDED_AFTER_MS",
    replace: "this.#deps.time.now() - server.seenAt >= ENDED_AFTER_MS",
    test: OWN_TEST,
  },
  {
    name: "5: another start of PostgreSQL is not noticed",
    file: `${GAME}/log/game-writer.ts`,
    find: "and extract(epoch from pg_postmaster_start_time())::text = $2",
    replace: "and $2::text is not null",
    test: `${GAME}/table/failover.test.ts`,
  },
  {
    name: "6: a frozen transaction keeps its server from being ended",
    file: `${SERVERS}/server-rows.ts`,
    find: "      await terminateSessions(client, ending.process);\n",
    replace: "",
    test: OWN_TEST,
  },
  {
    name: "7: busy tables are released",
    file: `${GAME}/table/tables.ts`,
    find: "    await drain(tables);\n    const owned",
    replace: "    const owned",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "8: one record that exists fails its batch",
    file: `${GAME}/log/game-writer.ts`,
    find: "\n  on conflict do nothing`;",
    replace: "`;",
    test: `${GAME}/log/group-commit.test.ts`,
  },
  {
    name: "9: unsigned messages are believed",
    file: `${SERVERS}/envelope.ts`,
    find: "mac.length === expected.length && timingSafeEqual(mac, expected) ?",
    replace: "mac.length + expected.length + Number(timingSafeEqual(mac, mac)) > 0 ?",
    test: LINKS_TEST,
  },
  {
    name: "9b: repeated messages are believed",
    file: `${SERVERS}/links.ts`,
    find: "if (lastSeq !== null && envelope.seq <= lastSeq) return refused.inc();",
    replace: "",
    test: LINKS_TEST,
  },
  {
    name: "10: an owner without NATS stays",
    file: `${SERVERS}/own-server.ts`,
    find: "if (!this.isShared || hasNats()) {",
    replace: "if (this.isShared || hasNats()) {",
    test: OWN_TEST,
  },
  {
    name: "11: the loss of a last message is not noticed",
    file: `${SERVERS}/links.ts`,
    find: "    for (const serverId of peers.keys()) write(serverId, []);\n",
    replace: "",
    test: LINKS_TEST,
  },
  {
    name: "12: the games of an ended server stay with it",
    file: `${GAME}/table/gateway.ts`,
    find: "    void this.#rewatchAll(serverId);\n  }",
    replace: "  }",
    test: `${GAME}/table/owner-ends.test.ts`,
  },
  {
    name: "12b: games that nobody watches are not taken over",
    file: `${GAME}/table/tables.ts`,
    find: "await Promise.all([this.#claimAbandoned(), this.recheckWaiting()]);",
    replace: "await Promise.all([this.recheckWaiting()]);",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "13: games that wait have an owner",
    file: `${GAME}/log/claim-store.ts`,
    find: "locked.status <> 'waiting' and (locked.owner is null",
    replace: "(locked.owner is null",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "14: only the first of many abandoned games are taken over",
    file: `${GAME}/table/tables.ts`,
    find: "await Promise.allSettled(ids.map((gameId) => this.locate(gameId)));",
    replace: "await Promise.allSettled(ids.slice(0, 1).map((gameId) => this.locate(gameId)));\n      count = 0;",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "15: a clock expires without asking for a move on its way",
    file: `${GAME}/table/tables.ts`,
    find: "return moverId === null || !(await this.#toRouter().isInFlight(table, moverId));",
    replace: "return true;",
    test: `${GAME}/table/flags.test.ts`,
  },
  {
    name: "16: a move that is sent again is charged to its later arrival",
    file: `${GAME}/table/first-arrivals.ts`,
    find: "    const known = this.#firsts.get(key);",
    replace: "    this.#firsts.delete(key);\n    const known = this.#firsts.get(key);",
    test: `${GAME}/table/first-arrivals.test.ts`,
  },
  {
    name: "17: whoever reconnects thinks anew",
    file: `${GAME}/table/gateway.ts`,
    find: "if (startsTurn && player !== null)",
    replace: "if (player !== null)",
    test: `${GAME}/table/owner.test.ts`,
  },
  {
    name: "18: one interval is credited twice",
    file: `${GAME}/table/table.ts`,
    find: "    const stallMs = Math.max(0, toAt - Math.max(fromAt, turnAt));",
    replace: "    const stallMs = Math.max(0, 2 * (toAt - fromAt));",
    test: `${GAME}/table/owner-ends.test.ts`,
  },
  {
    name: "18b: what was not credited is forgotten by the next claim",
    file: `${GAME}/log/claim-store.ts`,
    find: "coalesce(found.unserved_from, found.last_beat_at)",
    replace: "found.last_beat_at",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "18c: the time without an owner is not credited",
    file: `${GAME}/table/table.ts`,
    find: "for (const seat of [1, 2] as const) this.#addUnserved(seat, uncredited);",
    replace: "",
    test: `${GAME}/table/owner-ends.test.ts`,
  },
  {
    name: "19: a process that stood still earns a bonus",
    file: `${SERVERS}/server-rows.ts`,
    find: "and pid <> pg_backend_pid()) then 'stalled'",
    replace: "and pid <> pg_backend_pid()) then 'gone'",
    test: OWN_TEST,
  },
  {
    name: "20: a server that has ended is heard",
    file: `${SERVERS}/links.ts`,
    find: "envelope.to !== own.id || ended.has(envelope.from)) return",
    replace: "envelope.to !== own.id) return",
    test: LINKS_TEST,
  },
];

export const OWNER_MUTANTS: readonly Mutant[] = RULES.map((mutant) => ({
  expects: ANY,
  ...mutant,
  servers: 2,
}));
