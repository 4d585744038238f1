import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { DEVELOPMENT_RATE_LIMITS } from "../accounts.ts";
import { client, OLD, OwnAccounts, refused } from "../testing/own-accounts.ts";
import { toBase32, toCode as toCodeOfStep, toStep } from "./totp.ts";

const own = new OwnAccounts();

function fromBase32(text: string): Buffer {
  const digits = Array.from({ length: 32 }, (_, value) => toBase32(Buffer.from([value << 3])).charAt(0));
  const bits = [...text].map((digit) => digits.indexOf(digit).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

// [ROLE-34 §6 r40] Someone who knows the password and guesses codes blocks neither the owner's recovery codes nor the
// codes of a device that the account has used.
test("wrong codes of a thief of the password block neither recovery codes nor a known device [ROLE-34]", async () => {
  const { id, email, device } = await own.enter();
  const limited = own.open({ ...DEVELOPMENT_RATE_LIMITS, codePerAccount: { burst: 2, refillMs: 60 * MINUTE_MS } });
  const begun = await limited.beginSecondFactor({ playerId: id, password: OLD });
  if (!begun.ok) throw new Error(begun.refusal);
  const toCode = (): string => toCodeOfStep(fromBase32(begun.value.secret), toStep(own.time.now()));
  const enabled = await limited.enableSecondFactor({ playerId: id, token: device.token, code: toCode() });
  if (!enabled.ok) throw new Error(enabled.refusal);
  const logIn = (code: string, cookie?: string) => limited.login({ email, password: OLD, code }, { ...client, cookie });

  own.time.advance(MINUTE_MS);
  const first = await logIn(toCode());
  if (!first.ok) throw new Error(first.refusal);
  const cookie = first.value.setCookies.map((one) => one.split(";")[0]).join("; ");
  own.time.advance(MINUTE_MS);
  for (let i = 0; i < 2; i += 1) expect(await logIn("000000")).toEqual(refused("wrong_code"));
  expect(await logIn(toCode())).toEqual(refused("too_many_requests"));
  for (let i = 0; i < 3; i += 1) expect(await logIn("aaaaa-aaaaa")).toEqual(refused("wrong_code"));
  expect(await logIn(enabled.value.recoveryCodes[0]!)).toMatchObject({ ok: true });
  expect(await logIn(toCode(), cookie)).toMatchObject({ ok: true });
});
