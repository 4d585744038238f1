import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { expect, it } from "vitest";
import { toFailure } from "./failure.ts";

it("shows a refusal under its own title or the action's", () => {
  const { title, text } = toRefusalView("access_denied");
  expect(toFailure(toRefusalView("access_denied"))).toEqual({ title, text });
  expect(toFailure(toRefusalView("access_denied"), "Failed to add")).toEqual({ title: "Failed to add", text });
});

it("shows nothing if the dialog for the code was cancelled [ROLE-25f]", () => {
  expect(toFailure(toRefusalView("second_factor_required"), "Failed to add")).toBeNull();
});
