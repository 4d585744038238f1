import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { expect, it } from "vitest";
import { UNREACHABLE } from "./api.ts";
import { toFailure, toSpecified, toWithdrawalFailure } from "./failure.ts";

it("shows a refusal under its own title or the action's", () => {
  const { title, text } = toRefusalView("access_denied");
  expect(toFailure(toRefusalView("access_denied"))).toEqual({ title, text });
  expect(toFailure(toRefusalView("access_denied"), "Failed to add")).toEqual({ title: "Failed to add", text });
});

it("shows nothing if the dialog for the code was cancelled [ROLE-25]", () => {
  expect(toFailure(toRefusalView("second_factor_required"), "Failed to add")).toBeNull();
});

it("has the specification's text for a request that failed, and a refusal's own for any other [ERR-28]", () => {
  const specified = toRefusalView("account_check_failed");
  for (const fault of [UNREACHABLE, toRefusalView("something_went_wrong")]) {
    expect(toSpecified(fault, specified).text).toBe("Failed to verify account");
    expect(toWithdrawalFailure(fault)?.text).toBe(`Failed to process withdrawal: ${fault.text}`);
  }
  expect(toSpecified(toRefusalView("self_excluded"), specified)).toEqual(toRefusalView("self_excluded"));
  expect(toWithdrawalFailure(toRefusalView("debts_open"))?.text).toBe(toRefusalView("debts_open").text);
});
