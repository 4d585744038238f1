import { AdminPage } from "../admin-page.tsx";
import { Reports } from "./reports.tsx";

/** What players told the house. */
export default function ReportsPage() {
  return <AdminPage title="Reports">{(playerId) => <Reports key={playerId} playerId={playerId} />}</AdminPage>;
}
