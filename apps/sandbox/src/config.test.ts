import { describe, expect, it } from "vitest";
import { parseConfig } from "./config.ts";

describe("the sandbox's environment", () => {
  it("may be empty", () => {
    expect(parseConfig({ PORT: "" })).toEqual({
      ok: true,
      value: {
        port: 0,
        secretKey: "sk_test_sandbox",
        settings: { webhookUrl: null, retryScale: 1 / 60, transferSettlesAfterMs: 4_000 },
      },
    });
  });

  it("may set every option", () => {
    const parsed = parseConfig({
      PORT: "4010",
      HOST: "0.0.0.0",
      PUBLIC_URL: "http://10.0.2.2:4010/",
      PUBLIC_HOST: "10.0.2.2",
      PAYSTACK_SECRET_KEY: "sk_test_abc",
      WEBHOOK_URL: "http://localhost:3000/api/paystack/webhook",
      STATE_FILE: "/data/sandbox.json",
      BALANCE_KOBO: "5000",
      RETRY_SCALE: "0",
      TRANSFER_SETTLES_AFTER_MS: "0",
    });
    expect(parsed).toEqual({
      ok: true,
      value: {
        port: 4010,
        host: "0.0.0.0",
        publicUrl: "http://10.0.2.2:4010",
        publicHost: "10.0.2.2",
        secretKey: "sk_test_abc",
        stateFile: "/data/sandbox.json",
        balance: 5_000n,
        settings: {
          webhookUrl: "http://localhost:3000/api/paystack/webhook",
          retryScale: 0,
          transferSettlesAfterMs: 0,
        },
      },
    });
  });

  it.each([
    [{ NODE_ENV: "production" }, "NODE_ENV"],
    [{ PORT: "http" }, "PORT"],
    [{ PAYSTACK_SECRET_KEY: "sk_live_abc" }, "PAYSTACK_SECRET_KEY"],
    [{ PUBLIC_URL: "here" }, "PUBLIC_URL"],
    [{ WEBHOOK_URL: "here" }, "webhookUrl"],
    [{ BALANCE_KOBO: "-1" }, "BALANCE_KOBO"],
    [{ RETRY_SCALE: "often" }, "retryScale"],
  ])("is refused as %j", (environment, name) => {
    const parsed = parseConfig(environment);
    expect(parsed.ok ? "" : parsed.refusal.join()).toContain(name);
  });
});
