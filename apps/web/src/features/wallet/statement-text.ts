import { STATEMENT_KINDS, type StatementKind } from "@holo/protocol/wallet-views.ts";
import { ENTRY_WORDS } from "../../ui/money/entry-words.ts";

export type StatementFilter = StatementKind | "all";

export const STATEMENT_FILTERS: readonly { readonly value: StatementFilter; readonly text: string }[] = [
  { value: "all", text: "All entries" },
  ...STATEMENT_KINDS.map((kind) => ({ value: kind, text: ENTRY_WORDS[kind] })),
];
