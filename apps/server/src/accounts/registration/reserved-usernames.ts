const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  l: "i",
  q: "g",
};

/** What a reader sees at a glance: without case, separators and characters that look alike. */
function toSkeleton(username: string): string {
  return username
    .toLowerCase()
    .replace(/[_-]/g, "")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[0-9lq]/g, (character) => LOOK_ALIKES[character] ?? character);
}

/** Names that speak for the platform, as skeletons. */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse accounts arena ceo contact deleted founder help helpdesk holo holocoin holocoins manager mod mods moderation noreply null
  owner payments postmaster refund refunds root security server service staff superuser sysadmin system team undefined webmaster`
    .split(/\s+/)
    .map(toSkeleton),
);
/** Also reserved as the beginning or end of a longer name: "Holo-Support", "admin_ada". */
const RESERVED_PARTS: readonly string[] = [
  "admin",
  "administrator",
  "holoarena",
  "moderator",
  "official",
  "support",
].map(toSkeleton);
/** Deleted accounts are shown by such pseudonyms. */
const PSEUDONYM = /^gone-/i;

export function isUsernameReserved(username: string): boolean {
  const skeleton = toSkeleton(username);
  const withoutDigits = toSkeleton(username.replace(/\d+$/, ""));
  if (PSEUDONYM.test(username) || RESERVED.has(skeleton) || RESERVED.has(withoutDigits)) return true;
  return RESERVED_PARTS.some(
    (part) =>
      skeleton.startsWith(part) ||
      skeleton.endsWith(part) ||
      withoutDigits.startsWith(part) ||
      withoutDigits.endsWith(part),
  );
}
