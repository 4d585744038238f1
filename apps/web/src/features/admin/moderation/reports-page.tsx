import { AdminPage } from "../admin-page.tsx";
import { Reports } from "./reports.tsx";

/** Players' reports. */
export default function ReportsPage() {
  return <AdminPage title="Reports">{(playerId) => <Reports key={playerId} playerId={playerId} />}</AdminPage>;
}
