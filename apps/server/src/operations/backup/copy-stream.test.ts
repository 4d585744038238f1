import { once } from "node:events";
import { text } from "node:stream/consumers";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { copyOut } from "./copy-stream.ts";

test("serves the next query after a copy whose last block filled its reader", async () => {
  const client = new pg.Client({ connectionString: inject("templateConnectionString").replace(/[^/]*$/, "postgres") });
  await client.connect();
  try {
    const { stream, rows } = copyOut(client, "copy (select repeat('x', 1000000)) to stdout");
    expect(await text(stream)).toBe(`${"x".repeat(1_000_000)}\n`);
    expect(await rows).toBe(1);
    expect((await client.query("select 1")).rowCount).toBe(1);
  } finally {
    await client.end();
  }
});

test("serves the next query after a copy whose reader failed", async () => {
  const client = new pg.Client({ connectionString: inject("templateConnectionString").replace(/[^/]*$/, "postgres") });
  await client.connect();
  try {
    const { stream, rows } = copyOut(client, "copy (select repeat('x', 1000) from generate_series(1, 5000)) to stdout");
    await once(stream, "readable");
    stream.destroy(new Error("the disk is full"));
    await expect(once(stream, "close")).rejects.toThrow("the disk is full");
    expect((await client.query("select 1")).rowCount).toBe(1);
    expect(await rows).toBe(5_000);
  } finally {
    await client.end();
  }
});
