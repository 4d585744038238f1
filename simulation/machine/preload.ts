/** What a server of the simulation loads before its own code. */
import process from "node:process";
import { followCommitFaults } from "./commit-faults.ts";
import { loadIntoDatabase } from "./load-into-database.ts";

followCommitFaults();
const { LD_PRELOAD, FAULTY_CONTROL, FAULTY_UNDO } = process.env;
if (LD_PRELOAD !== undefined && FAULTY_CONTROL !== undefined && FAULTY_UNDO !== undefined)
  loadIntoDatabase({ LD_PRELOAD, FAULTY_CONTROL, FAULTY_UNDO });
