import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { DEVELOPMENT_RATE_LIMITS } from "../accounts.ts";
import { client, OLD, OwnAccounts, refused } from "../testing/own-accounts.ts";

const own = new OwnAccounts();

// [ROLE-34 §6 r40] Someone who knows the password and guesses codes blocks neither the owner's recovery codes nor the
// codes of a device that the account has used.
test("wrong codes of a thief of the password block neither recovery codes nor a known device [ROLE-34]", async () => {
  const { id, email, device } = await own.enter();
  const limited = own.open({ ...DEVELOPMENT_RATE_LIMITS, codePerAccount: { burst: 2, refillMs: 60 * MINUTE_MS } });
  const begun = await limited.beginSecondFactor({ playerId: id, password: OLD });
  if (!begun.ok) throw new Error(begun.refusal);
  const toCode = (): string =>
    TOTP.generate({ secret: Secret.fromBase32(begun.value.secret), timestamp: own.time.now() });
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
