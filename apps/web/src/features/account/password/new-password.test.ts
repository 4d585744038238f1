import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { expect, test } from "vitest";
import { findNewPasswordError, toPasswordFailure } from "./new-password.ts";

// [VALID-03 §5,9] Every new password has at least six characters.
test("refuses an empty, mismatched or short new password [VALID-03 VALID-05]", () => {
  expect(findNewPasswordError("", "")).toEqual({ field: null, text: "Please fill in all fields" });
  expect(findNewPasswordError("battery staple", "")).toEqual({ field: null, text: "Please fill in all fields" });
  expect(findNewPasswordError("battery staple", "battery")).toEqual({
    field: "confirm",
    text: "Passwords do not match",
  });
  expect(findNewPasswordError("12345", "12345")).toEqual({
    field: "password",
    text: "Password must be at least 6 characters",
  });
  expect(findNewPasswordError("123456", "123456")).toBeNull();
});

// [ERR-32 §8] Failures of reset mails and passwords show 'Failed to send reset email. Please try again.' and 'Failed
// to reset password. Please try again.'.
test("keeps the text of a helpful refusal and replaces any other [ERR-32]", () => {
  const [title, otherwise] = ["Not reset", "Failed to reset password. Please try again."];
  expect(toPasswordFailure(toRefusalView("unusable_reset_link"), title, otherwise).text).toContain("expired");
  expect(toPasswordFailure(toRefusalView("common_password"), title, otherwise).text).toContain("Too easy");
  expect(toPasswordFailure(toRefusalView("something_went_wrong"), title, otherwise)).toEqual({
    title,
    text: otherwise,
  });
});
