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
