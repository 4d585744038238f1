import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import { createEngine, type EnginePort } from "./engine-client.ts";
import { doTask, type PathAndPromotion } from "./engine-tasks.ts";

/** The worker's side in this thread: one task after the other. */
function openPort(): EnginePort & { readonly asked: number[]; isEnded: boolean } {
  let earlier = Promise.resolve();
  const port = {
    onmessage: null as EnginePort["onmessage"],
    asked: [] as number[],
    isEnded: false,
    postMessage({ id, task }: Parameters<EnginePort["postMessage"]>[0]) {
      port.asked.push(id);
      earlier = earlier.then(async () => {
        const data = await doTask(task).then(
          (result) => ({ id, result }),
          (fault: unknown) => ({ id, fault: String(fault) }),
        );
        port.onmessage?.({ data });
      });
    },
    close() {
      port.isEnded = true;
    },
  };
  return port;
}

function toMove(text: string): PathAndPromotion {
  const path = text.split("-").map((name) => {
    const square = parseSquare(name);
    if (!square.ok) throw new Error(`${name} is no square`);
    return square.value;
  });
  return { path };
}

const MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

describe("the engine's client", () => {
  it("finds a mate from a position, and chooses legal moves of every level in both games", async () => {
    const engine = createEngine(() => Promise.resolve(openPort()));
    const found = await engine.analyse("chess", MATE_IN_ONE, [], { nodes: 2_000 });
    expect(found.move).toEqual({ ...toMove("a1-a8"), captured: [] });
    for (const level of [0, 1, 2] as const) {
      const opened = checkers.play(checkers.start(), toMove("c3-d4").path);
      if (!opened.ok) throw new Error("the opening is legal");
      const move = await engine.choose("checkers", null, [toMove("c3-d4")], level, 7);
      expect(checkers.legalMoves(opened.value.position)).toContainEqual(move);
      expect(chess.legalMoves(chess.start())).toContainEqual(await engine.choose("chess", null, [], level, 7));
    }
  });

  it("answers requests in their order, from one worker", async () => {
    let starts = 0;
    const engine = createEngine(() => {
      starts += 1;
      return Promise.resolve(openPort());
    });
    const order: number[] = [];
    await Promise.all(
      [2_000, 1, 500].map((nodes, index) =>
        engine.analyse("chess", null, [], { nodes }).then(() => {
          order.push(index);
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2]);
    expect(starts).toBe(1);
  });

  it("rejects what cannot be searched, and goes on with the next request", async () => {
    const engine = createEngine(() => Promise.resolve(openPort()));
    await expect(engine.analyse("chess", "nonsense", [], { nodes: 1 })).rejects.toThrow("position");
    await expect(engine.choose("checkers", null, [toMove("c3-c4")], 1, 1)).rejects.toThrow("not legal");
    await expect(engine.choose("checkers", null, [], 0, 1)).resolves.toBeDefined();
  });

  it("passes on that the worker cannot be started", async () => {
    const engine = createEngine(() => Promise.reject(new Error("no worker")));
    await expect(engine.choose("chess", null, [], 1, 1)).rejects.toThrow("no worker");
    engine.close();
  });

  it("ends the worker, also one that is still loading, and answers nothing afterwards", async () => {
    const port = openPort();
    let begin = () => {};
    const engine = createEngine(
      () =>
        new Promise((resolve) => {
          begin = () => resolve(port);
        }),
    );
    let isAnswered = false;
    void engine.choose("checkers", null, [], 0, 1).then(() => {
      isAnswered = true;
    });
    engine.close();
    begin();
    await expect.poll(() => port.isEnded).toBe(true);
    expect(port.asked).toEqual([]);
    expect(isAnswered).toBe(false);
  });
});
