import { adminInvariants } from "./admin/audit.ts";
import { arenaInvariants } from "./arena/audit.ts";
import { ledgerInvariants } from "./ledger/audit.ts";
import { paymentInvariants } from "./payments/audit.ts";
import type { Invariant } from "./platform/audit.ts";
import type { Files } from "./platform/files/files.ts";
import { keepsCurrentFiles, releaseInvariants } from "./releases/audit.ts";

/** All that the auditor holds, of every room. @param files where the releases' files are kept */
export function listInvariants(files: Files): readonly Invariant[] {
  return [
    ...ledgerInvariants,
    ...paymentInvariants,
    ...arenaInvariants,
    ...adminInvariants,
    ...releaseInvariants,
    keepsCurrentFiles(files),
  ];
}
