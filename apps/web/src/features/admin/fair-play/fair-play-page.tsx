import { AdminPage } from "../admin-page.tsx";
import { SuspiciousPairs } from "./suspicious-pairs.tsx";

export default function FairPlayPage() {
  return (
    <AdminPage title="Fair Play">{(playerId) => <SuspiciousPairs key={playerId} playerId={playerId} />}</AdminPage>
  );
}
