import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Move } from "@holo/rules/rules.ts";
import { type Analyst, openOwnAnalyst, type Place } from "../../apps/server/src/fairplay/engine/analyst.ts";
import type { EngineAnswer, EngineRequest } from "../../apps/server/src/fairplay/engine/engine-process.ts";
import { toFinalScore } from "../../apps/server/src/fairplay/engine/final-score.ts";
import { judgeGame } from "../../apps/server/src/fairplay/engine/judge-game.ts";
import { SCREENING_VERSION } from "../../apps/server/src/fairplay/engine/screening.ts";

interface Memory {
  find(key: string): readonly number[] | undefined;
  keep(key: string, numbers: readonly number[]): void;
}

/**
 * Answers as the server's engine does. Populations replay lines of the library, so what the engine
 * said about a position is kept in the folder: its answers depend on nothing else.
 */
export function openRememberedEngine(folder: string): { ask(request: EngineRequest): Promise<EngineAnswer> } {
  const memory = openMemory(path.join(folder, `engine-${SCREENING_VERSION}.txt`));
  return {
    async ask(request) {
      if (request.type === "moves") {
        const analyst = remember(request.game, await openOwnAnalyst(request.game), memory);
        // The event loop also serves the database.
        const rest = () => new Promise<void>((resolve) => setImmediate(resolve));
        return { type: "moves", figures: await judgeGame(request, analyst, rest), fault: null };
      }
      const { game, board, seat } = request;
      const key = toKey([game, board, String(seat)]);
      const [known] = memory.find(key) ?? [];
      if (known !== undefined) return { type: "final_score", score: known };
      const score = await toFinalScore(game, board, seat);
      memory.keep(key, [score]);
      return { type: "final_score", score };
    },
  };
}

function remember(game: GameType, analyst: Analyst, memory: Memory): Analyst {
  const rules = rulesOf(game);
  return {
    name: analyst.name,
    async analyse(place) {
      const key = toKey([game, ...listPlayed(place)]);
      const legal = rules.legalMoves(place.position);
      let [index, score] = memory.find(key) ?? [];
      if (index === undefined || score === undefined) {
        const best = await analyst.analyse(place);
        index = legal.map(toText).indexOf(toText(best.move));
        score = best.score;
        memory.keep(key, [index, score]);
      }
      return {
        move: legal[index]!,
        score,
        async findNextScore() {
          const nextKey = toKey([key, "next"]);
          const [known] = memory.find(nextKey) ?? [];
          if (known !== undefined) return known;
          const next = await (await analyst.analyse(place)).findNextScore();
          memory.keep(nextKey, [next]);
          return next;
        },
      };
    },
  };
}

function listPlayed({ played }: Place): readonly string[] {
  return played.map(toText);
}

function toText({ path: squares, promotion }: Pick<Move, "path" | "promotion">): string {
  return squares.join() + (promotion ?? "");
}

function toKey(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join(" ")).digest("base64url").slice(0, 20);
}

/** A line for each key; several processes may add to it. */
function openMemory(file: string): Memory {
  const known = new Map<string, readonly number[]>();
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const line of lines) {
    const [key = "", ...numbers] = line.split(" ");
    if (numbers.length > 0) known.set(key, numbers.map(Number));
  }
  return {
    find: (key) => known.get(key),
    keep(key, numbers) {
      known.set(key, numbers);
      appendFileSync(file, `${[key, ...numbers].join(" ")}\n`);
    },
  };
}
