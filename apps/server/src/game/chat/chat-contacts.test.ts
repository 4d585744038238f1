import { expect, test } from "vitest";
import { maskContacts } from "./chat-contacts.ts";

// [VALID-42 §-] Links, email addresses and phone numbers in the chat between players are shown as `***`, unless the
// operator switches it off. Sums, scores and moves are not.
test.each([
  ["call 08031234567 now", "call *** now"],
  ["+234 803 123 4567", "***"],
  ["+2348031234567", "***"],
  ["0803-123-4567 or 0803.123.4567", "*** or ***"],
  ["0 8 0 3 1 2 3 4 5 6 7", "***"],
  ["O8O3l234567", "***"],
  ["234 803 123 4567", "***"],
  ["pay 1234567890 OPay", "pay *** OPay"],
  ["٠٨٠٣١٢٣٤٥٦٧", "***"],
  ["０８０３１２３４５６７", "***"],
  ["0️⃣8️⃣0️⃣3️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣", "***"],
  ["see https://evil.example/a?b=1 abeg", "see *** abeg"],
  ["HTTP://EVIL.EXAMPLE", "***"],
  ["www.freecoins.zz", "***"],
  ["freecoins.com, quick", "***, quick"],
  ["free-coins.com.ng/win", "***"],
  ["bit.ly/abc t.me/ada wa.me/234 youtu.be/x", "*** *** *** ***"],
  ["freecoins dot com", "***"],
  ["freecoins[.]com and freecoins (dot) net", "*** and ***"],
  ["mail ada.obi@gmail.com or ada@yahoo.fr", "mail *** or ***"],
  ["discord.gg/abc", "***"],
])("masks the links and numbers of %j [VALID-42]", (text, masked) => {
  expect(maskContacts(text)).toBe(masked);
});

test.each([
  ...["₦5000000000", "N 1234567890 for where", "1,000,000,000 coins", "1-0 2-1 3-2", "1 2 3 4 5 6 7 8 9 10"],
  ...["11-15 23-18 8-11 27-23", "1.e4 e5 2.Nf3", "12:30 on 29.11.2026", "game 20261129", "10 HC", "5000"],
  ...["good game.well played", "I won.me too", "come.in", "no wahala...", "e4.e5", "ok.no", "@ada how far", "3.5"],
])("passes %j [VALID-42]", (text) => {
  expect(maskContacts(text)).toBe(text);
});
