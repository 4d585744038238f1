/** A bug that the simulation must notice: one change of the product's source. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

const TABLE = "packages/table/src";
const ARENA = "apps/server/src/arena";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "a move is accepted for an older board",
    file: `${TABLE}/decide.ts`,
    find: `if (command.atVersion !== state.boardVersion) return refuse("stale_version");`,
    replace: "",
  },
  {
    name: "the wrong player's clock is charged",
    file: `${TABLE}/decide.ts`,
    find: "const remainingMs = replaceSeat(state.clock.remainingMs, seat, leftMs);",
    replace: "const remainingMs = replaceSeat(state.clock.remainingMs, toOpponent(seat), leftMs);",
  },
  {
    name: "no move is charged",
    file: `${TABLE}/decide.ts`,
    find: "const chargedMs = isTimed ? charge.chargedMs : 0;",
    replace: "const chargedMs = 0;",
  },
  {
    name: "a move is charged twice its time",
    file: `${TABLE}/clock.ts`,
    find: "return { chargedMs: Math.floor(elapsedMs - lagMs), lagMs };",
    replace: "return { chargedMs: Math.floor(2 * elapsedMs - lagMs), lagMs };",
  },
  {
    name: "clocks run before both players have moved",
    file: `${TABLE}/decide.ts`,
    find: "const isTimed = state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;",
    replace: "const isTimed = true;",
  },
  {
    name: "a flag gives the game to the player whose time is up",
    file: `${TABLE}/decide.ts`,
    find: "const winner = rules.canWin(state.position, toOpponent(turn)) ? toOpponent(turn) : null;",
    replace: "const winner = rules.canWin(state.position, toOpponent(turn)) ? turn : null;",
  },
  {
    name: "an expired clock ends no game",
    file: `${TABLE}/decide.ts`,
    find: `if (deadline === null || at < deadline.at) return refuse("not_due");`,
    replace: `if (deadline === null || at < deadline.at || deadline.type === "time") return refuse("not_due");`,
  },
  {
    name: "a promotion is stored as a queen's",
    file: `${TABLE}/decide.ts`,
    find: "...(command.promotion === undefined ? {} : { promotion: command.promotion }),",
    replace: `...(command.promotion === undefined ? {} : { promotion: "queen" as const }),`,
  },
  {
    name: "a repeated command is decided again",
    file: `${TABLE}/decide.ts`,
    find: `  if (repeated !== null) return repeated;
  if (command.type === "offer_rematch"`,
    replace: `  if (command.type === "offer_rematch"`,
  },
  {
    name: "an offer is accepted for another board",
    file: `${TABLE}/decide-offers.ts`,
    find: `return command.answer === "accept" && command.atVersion !== state.boardVersion ? "stale_version" : null;`,
    replace: "return null;",
  },
  {
    name: "an outage adds a bonus to one clock alone",
    file: `${TABLE}/decide-outage-credit.ts`,
    find: "remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],",
    replace: "remainingMs: [charged[0] + bonusMs, charged[1]],",
  },
  {
    name: "a bonus is added twice",
    file: `${TABLE}/decide-outage-credit.ts`,
    find: "remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],",
    replace: "remainingMs: [charged[0] + 2 * bonusMs, charged[1] + 2 * bonusMs],",
  },
  {
    name: "a restart is not credited",
    file: `${ARENA}/table/table-actor.ts`,
    find: "for (const outage of this.#host.outages) this.#creditUnmeasured(outage);",
    replace: "",
  },
  {
    name: "a flag falls during an outage of the database",
    file: `${ARENA}/table/table-actor.ts`,
    find: `return outages.lostMs() - arrival.lostMs > FLAG_DELAY_MS_MAX ? "unavailable" : null;`,
    replace: "return null;",
  },
  {
    name: "outages are not stored",
    file: `${ARENA}/table/outage-store.ts`,
    find: "on conflict do nothing`.execute(queries);",
    replace: "on conflict do nothing`.compile(queries);",
  },
  {
    name: "a lost commit counts as done",
    file: `${ARENA}/log/group-commit.ts`,
    find: `this.#log.warn({ err: error, rows: writes.length }, "moves are sent to the database again");`,
    replace: "return new Map(writes.map(({ gameId }) => [gameId, COMMITTED]));",
  },
  {
    name: "a move is answered before its commit",
    file: `${ARENA}/log/group-commit.ts`,
    find: "this.#waiting.push({ write, answer });",
    replace: "this.#waiting.push({ write, answer: () => undefined });\n    setImmediate(() => answer(COMMITTED));",
  },
  {
    name: "commits do not wait for the disk",
    file: "apps/server/src/platform/database/database.ts",
    find: "-c synchronous_commit=on",
    replace: "-c synchronous_commit=off",
  },
  {
    name: "a settlement of unknown outcome is refused",
    file: `${ARENA}/table/command-queue.ts`,
    find: "(error) => this.#resyncAndRetry(queued, error, attempt, encoded),",
    replace: `() => (this.#finish(), queued.answer(refused("something_went_wrong")), this.#run()),`,
  },
  {
    name: "the opponent sees the id of a command",
    file: `${ARENA}/log/log-record.ts`,
    find: "if (record.commandId === undefined || record.by !== viewer) return record.publicText;",
    replace: "if (record.commandId === undefined) return record.publicText;",
  },
  {
    name: "network times are shown during the game",
    file: `${ARENA}/log/log-record.ts`,
    find: "const publicText = JSON.stringify({ version, at, by, events });",
    replace: "const publicText = JSON.stringify({ version, at, by, events, lagMs });",
  },
  {
    name: "the log's hashes are not chained",
    file: `${ARENA}/log/log-record.ts`,
    find: "hash: toChainedHash(hashBefore, text) };",
    replace: `hash: toChainedHash("", text) };`,
  },
  {
    name: "strangers read the chat",
    file: `${ARENA}/chat/chat.ts`,
    find: "if (seatOf(table, watcher.player) !== null && !resyncing.includes(watcher)) watcher.send(frame);",
    replace: "if (!resyncing.includes(watcher)) watcher.send(frame);",
  },
  {
    name: "some records are sent to nobody",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#sendToWatchers(record, encoded, isJoined);",
    replace: "if (record.version % 9 !== 0) this.#sendToWatchers(record, encoded, isJoined);",
  },
  {
    name: "records found by a resync are sent to nobody",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#presence.send((watcher) => toTableFrame(this, watcher, before.version, time.now()));",
    replace: "",
  },
  {
    name: "a stopped table never runs again",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#commands.resume(() => this.start());",
    replace: "",
  },
  {
    name: "a wrong balance is pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: `frame: { type: "wallet", balance: String(balance), sequence }`,
    replace: `frame: { type: "wallet", balance: String(BigInt(balance) + 1n), sequence }`,
  },
  {
    name: "no balance is pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: `    this.sendWallets(wallets);
    if (record.events`,
    replace: "    if (record.events",
  },
  {
    name: "the opponent's open game is not pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: "for (const playerId of state.players) if (playerId !== null) this.#sendOpenGame(playerId, openGame);",
    replace: "this.#sendOpenGame(state.players[0], openGame);",
  },
  {
    name: "pushes of the open game are not numbered",
    file: `${ARENA}/table/broadcast.ts`,
    find: "this.#sequence += 1;",
    replace: "",
  },
  {
    name: "the sweeper sleeps",
    file: `${ARENA}/table/sweeper.ts`,
    find: "const ids = await loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS));",
    replace: "const ids: GameId[] = [];",
  },
  {
    name: "the loser is paid",
    file: `${ARENA}/log/settlement.ts`,
    find: "const winnerId = players[result.winner - 1];",
    replace: "const winnerId = players[2 - result.winner];",
  },
  {
    name: "an acknowledgement names another version",
    file: `${ARENA}/answer.ts`,
    find: `return { type: "done", gameId: state.gameId, version, status`,
    replace: `return { type: "done", gameId: state.gameId, version: version + 1, status`,
  },
];
