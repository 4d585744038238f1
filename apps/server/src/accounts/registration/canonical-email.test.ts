import { expect, test } from "vitest";
import { makeCanonicalEmailHash, removePlusSuffix, toCanonicalEmail } from "./canonical-email.ts";

test.each([
  ["ada.obi@gmail.com", "adaobi@gmail.com"],
  ["a.d.a.o.b.i+chess@googlemail.com", "adaobi@gmail.com"],
  ["ada+chess@outlook.com", "ada@outlook.com"],
  ["ada+1+2@icloud.com", "ada@icloud.com"],
])("maps %s to %s", (email, mailbox) => {
  expect(toCanonicalEmail(email)).toBe(mailbox);
});

test.each([
  "ada.obi@outlook.com",
  "ada+chess@example.com",
  "ada.obi@example.com",
  "ada@icloud.com",
  "+@gmail.com",
  "ada@mail.gmail.com",
])("keeps %s, which may be someone else's", (email) => {
  expect(toCanonicalEmail(email)).toBe(email);
});

test.each([
  ["ada+chess@example.com", "ada@example.com"],
  ["ada+1+2@example.com", "ada@example.com"],
  ["+@example.com", "+@example.com"],
  ["ada.obi@example.com", "ada.obi@example.com"],
])("counts mails to %s as those to %s", (email, counted) => {
  expect(removePlusSuffix(email)).toBe(counted);
});

test("hashes a canonical email by secret, without revealing it", () => {
  const toHash = makeCanonicalEmailHash("a secret of at least thirty-two characters");
  expect(toHash("ada.obi+x@gmail.com")).toBe(toHash("adaobi@googlemail.com"));
  expect(toHash("adaobi@gmail.com")).toMatch(/^[0-9a-f]{64}$/);
  expect(toHash("adaobi@gmail.com")).not.toBe(
    makeCanonicalEmailHash("another secret of thirty-two characters")("adaobi@gmail.com"),
  );
});
