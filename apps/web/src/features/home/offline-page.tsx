import { useLocation } from "wouter";
import { ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { PracticeSection } from "./practice/practice-section.tsx";
import "./home-page.css";

/**
 * Shown while the server is unreachable: practice on the home page, a notice elsewhere. The app
 * replaces it when the connection is back.
 */
export default function OfflinePage() {
  const [location] = useLocation();
  usePageTitle("Offline");
  return location === "/" ? <OfflineHome /> : <OfflinePlaceholder />;
}

function OfflineHome() {
  return (
    <section className="hero">
      <div>
        <p className="tagline">The arena cannot be reached.</p>
        <h1>Practice goes on</h1>
        <p className="subline">
          Checkers against the computer needs no connection. Matches, your games and your wallet come back by themselves
          as soon as you are online.
        </p>
      </div>
      <PracticeSection rateKobo={null} onPlayable={ignorePlayable} />
    </section>
  );
}

function ignorePlayable(): void {}

function OfflinePlaceholder() {
  return (
    <>
      <h1 className="visually-hidden">Offline</h1>
      <EmptyState
        text="This page needs the arena, which cannot be reached now. It opens by itself as soon as you are online. A game under way stays with the arena, and so do its clocks."
        action={<ButtonLink href="/">Practice</ButtonLink>}
      />
    </>
  );
}
