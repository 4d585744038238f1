import { Queries } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { AccessDenied } from "./access-denied.tsx";
import { Revenue } from "./revenue.tsx";

/** What the house has to know of its money, for its admins. Others see nothing of it: neither figures nor which there are. */
export default function RevenuePage() {
  usePageTitle("Revenue");
  const { player, role } = useSession();
  if (player === null || role === null) return <AccessDenied />;
  return (
    <Queries>
      <Revenue key={`${player.id} ${role}`} playerId={player.id} role={role} />
    </Queries>
  );
}
