import { AdminPage } from "./admin-page.tsx";
import { Revenue } from "./revenue.tsx";

/** What the house has to know of its money. */
export default function RevenuePage() {
  return (
    <AdminPage title="Revenue">
      {(playerId, role) => <Revenue key={`${playerId} ${role}`} playerId={playerId} role={role} />}
    </AdminPage>
  );
}
