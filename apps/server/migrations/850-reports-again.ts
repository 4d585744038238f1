/**
 * A player may report the same game again, with another reason or text. The server compares them.
 */
export const up = `drop index reports_once;`;
