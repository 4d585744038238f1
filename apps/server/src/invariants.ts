import { adminInvariants } from "./admin/audit.ts";
import { fairPlayInvariants } from "./fairplay/audit.ts";
import { gameInvariants } from "./game/audit/audit.ts";
import { ledgerInvariants } from "./ledger/audit/audit.ts";
import { paymentInvariants } from "./payments/audit/audit.ts";
import type { Invariant } from "./platform/database/invariant.ts";
import type { Files } from "./platform/files/files.ts";
import { playerInvariants } from "./players/audit.ts";
import { keepsCurrentFiles, releaseInvariants } from "./releases/audit.ts";

export function listInvariants(files: Files): readonly Invariant[] {
  return [
    ...ledgerInvariants,
    ...paymentInvariants,
    ...gameInvariants,
    ...playerInvariants,
    ...adminInvariants,
    ...fairPlayInvariants,
    ...releaseInvariants,
    keepsCurrentFiles(files),
  ];
}
