import { describe, expect, it } from "vitest";
import { createServerClock } from "./server-clock.ts";

describe("the server's clock", () => {
  it("follows the least delayed message", () => {
    let local = 100;
    const clock = createServerClock(() => local, 0);
    clock.observe(1_000);
    local = 200;
    clock.observe(1_060);
    expect(clock.now()).toBe(1_100);
    local = 300;
    clock.observe(1_290);
    expect(clock.now()).toBe(1_290);
  });

  it("starts with a guess and keeps its estimate until a new connection", () => {
    let local = 100;
    const clock = createServerClock(() => local, 5_000);
    expect(clock.now()).toBe(5_100);
    clock.observe(9_000);
    clock.reset();
    local = 150;
    expect(clock.now()).toBe(9_050);
    clock.observe(8_000);
    expect(clock.now()).toBe(8_000);
  });
});
