import { toRefusalView } from "@holo/protocol/refusals.ts";
import { expect, test } from "vitest";
import { findNewPasswordFault, toFailure } from "./new-password.ts";

test("a new password is asked for twice, and both are looked at before they are sent [VALID-03]", () => {
  expect(findNewPasswordFault("", "")).toEqual({ field: null, text: "Please fill in all fields" });
  expect(findNewPasswordFault("battery staple", "")).toEqual({ field: null, text: "Please fill in all fields" });
  expect(findNewPasswordFault("battery staple", "battery")).toEqual({
    field: "confirm",
    text: "Passwords do not match",
  });
  expect(findNewPasswordFault("12345", "12345")).toEqual({
    field: "password",
    text: "Password must be at least 6 characters",
  });
  expect(findNewPasswordFault("123456", "123456")).toBeNull();
});

test("a refusal that says what to do keeps its words, any other has those of the product [ERR-32]", () => {
  const [title, otherwise] = ["Not reset", "Failed to reset password. Please try again."];
  expect(toFailure(toRefusalView("unusable_reset_link"), title, otherwise).text).toContain("expired");
  expect(toFailure(toRefusalView("common_password"), title, otherwise).text).toContain("common");
  expect(toFailure(toRefusalView("something_went_wrong"), title, otherwise)).toEqual({ title, text: otherwise });
});
