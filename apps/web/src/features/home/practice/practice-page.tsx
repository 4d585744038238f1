import { Link } from "wouter";
import { useSession } from "../../../lib/session/session.ts";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { PracticeBoard } from "./practice-section.tsx";

export default function PracticePage() {
  usePageTitle("Practice");
  const { player } = useSession();
  return (
    <section className="ready-to-play practice-page" aria-labelledby="practice">
      <h1 id="practice">Practice</h1>
      <PracticeBoard />
      <p className="meta">Checkers against the computer. No coins, no clock.</p>
      <Link href={player === null ? "/login" : "/create-match"} className="link alone">
        {player === null ? "Start Playing Now" : "Create a Match"}
      </Link>
    </section>
  );
}
