import { closeSync, openSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import process from "node:process";
import { expect, it } from "vitest";
import { derivationPid, deriveKey } from "./key-derivation.ts";
import { hashPassword, isPassword } from "./password-hash.ts";

it("accepts the hashed password only", async () => {
  const hash = await hashPassword("holo-arena");
  expect(await isPassword("holo-arena", hash)).toBe(true);
  expect(await isPassword("holo-arenA", hash)).toBe(false);
});

it("accepts an accent however it was composed", async () => {
  expect(await isPassword("e\u0301ko\u0323", await hashPassword("\u00e9k\u1ecd"))).toBe(true);
});

it("salts every hash", async () => {
  const [one, other] = await Promise.all([hashPassword("same"), hashPassword("same")]);
  expect(one).not.toBe(other);
});

it.each(["", "scrypt10::"])("rejects the malformed hash %j", async (hash) => {
  expect(await isPassword("", hash)).toBe(false);
});

const SALT = "000102030405060708090a0b0c0d0e0f";
const FULL_STRENGTH = `${SALT}:b9197bb4f51c8bd8e58a8a510202c9d128eea6a05e522daf6432c18c0323f6d6`;
const LESS = `${SALT}:df5c3be3ad76c7af7e94248c5d26e986a6192d1185f19077e30d492f23c50898`;

// At full strength once only: on a busy machine the process of low priority takes long for a key.
it.each([
  ["scrypt17", FULL_STRENGTH],
  ["scrypt12", LESS],
])("verifies a hash with the cost it was made with: %s", async (scheme, hash) => {
  expect(await isPassword("holo-arena", `${scheme}:${hash}`)).toBe(true);
  expect(await isPassword("holo-arena", `scrypt11:${hash}`)).toBe(false);
});

it.each(["scrypt", "scrypt9", "scrypt18", "scrypt017", "bcrypt"])("rejects the unknown scheme %s", async (scheme) => {
  expect(await isPassword("holo-arena", `${scheme}:${LESS}`)).toBe(false);
});

it("derives strong keys in another process, and in a new one after that was killed", async () => {
  const salt = Buffer.alloc(16, 1);
  const first = await deriveKey("holo-arena", salt, 12);
  const pid = derivationPid();
  expect(pid).not.toBeNull();
  expect(getPriority(pid!)).toBe(Math.min(getPriority() + 5, 19));
  // Where Linux weighs sessions, the priority alone would not count against the database.
  if (canWeighSessions()) {
    await expect.poll(() => readFileSync(`/proc/${pid}/autogroup`, "utf8")).toMatch(/ nice 5\n$/);
  }
  const interrupted = deriveKey("holo-arena", salt, 17);
  process.kill(pid!, "SIGKILL");
  await expect(interrupted).rejects.toThrow("ended with SIGKILL");
  expect(await deriveKey("holo-arena", salt, 12)).toEqual(first);
  expect(derivationPid()).not.toBe(pid);
});

/** Not in containers with a read-only /proc. */
function canWeighSessions(): boolean {
  try {
    closeSync(openSync("/proc/self/autogroup", "r+"));
    return true;
  } catch {
    return false;
  }
}
