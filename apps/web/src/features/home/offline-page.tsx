import { useLocation } from "wouter";
import { ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import PracticePage from "./practice/practice-page.tsx";
import { PracticeSection } from "./practice/practice-section.tsx";
import "./home-page.css";

const PRACTICE = "/practice";

/**
 * Shown while the server is unreachable, for any reason: practice at home and at its address, else
 * a notice. The app replaces it when the connection returns.
 */
export default function OfflinePage() {
  const [location] = useLocation();
  usePageTitle("No connection");
  if (location.startsWith(PRACTICE)) return <PracticePage />;
  return location === "/" ? <OfflineHome /> : <OfflinePlaceholder />;
}

function OfflineHome() {
  return (
    <section className="hero">
      <div>
        <p className="tagline">We can't reach Holo Arena.</p>
        <h1>Practice goes on</h1>
        <p className="subline">
          You can play against the computer meanwhile. Matches, your games and your wallet come back as soon as we can
          reach Holo Arena.
        </p>
      </div>
      <PracticeSection rateKobo={null} />
    </section>
  );
}

function OfflinePlaceholder() {
  return (
    <EmptyState
      title="No connection"
      text="This page opens as soon as we can reach Holo Arena. If you're in a game, your clock may be running."
      action={<ButtonLink href={PRACTICE}>Practice</ButtonLink>}
    />
  );
}
