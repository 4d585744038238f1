import { z } from "zod";
import { empty, formField, instant, text, whole } from "../fields.ts";
import type { Route, View } from "../route.ts";

export const secondFactorCode = text(40);

const secondFactor = z.strictObject({
  isOn: z.boolean(),
  /** Null while it is off. */
  sinceAt: instant.nullable(),
  recoveryCodesLeft: whole,
  isRequired: z.boolean(),
});
export type SecondFactorView = View<typeof secondFactor>;

export const SECOND_FACTOR_ROUTES = {
  secondFactor: {
    method: "get",
    path: "/api/account/second-factor",
    access: "player",
    refusals: [],
    response: secondFactor,
  },
  /** Makes a secret for an authenticator app, in force after its first code. */
  beginSecondFactor: {
    method: "post",
    path: "/api/account/second-factor/begin",
    access: "player",
    refusals: ["wrong_password", "second_factor_on"],
    body: z.strictObject({ password: formField }),
    response: z.strictObject({
      /** Base32. */
      secret: z.string(),
      /** The same as an `otpauth:` address, for a QR code. */
      uri: z.string(),
    }),
  },
  /** The recovery codes are shown once. */
  enableSecondFactor: {
    method: "post",
    path: "/api/account/second-factor/enable",
    access: "player",
    refusals: ["wrong_code", "second_factor_on"],
    body: z.strictObject({ code: secondFactorCode }),
    response: z.strictObject({ recoveryCodes: z.array(z.string()) }),
  },
  disableSecondFactor: {
    method: "post",
    path: "/api/account/second-factor/disable",
    access: "player",
    refusals: ["wrong_password", "wrong_code"],
    body: z.strictObject({ password: formField, code: secondFactorCode }),
    response: secondFactor,
  },
  /** Confirms the session with a code, for sensitive actions of the next minutes. */
  confirmSecondFactor: {
    method: "post",
    path: "/api/account/second-factor/confirm",
    access: "player",
    refusals: ["wrong_code"],
    body: z.strictObject({ code: secondFactorCode }),
    response: empty,
  },
} as const satisfies Record<string, Route>;
