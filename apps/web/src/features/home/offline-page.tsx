import { useLocation } from "wouter";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { ReadyToPlay } from "./ready-to-play.tsx";
import "./home-page.css";

/** What there is without the arena: practice, at home; elsewhere the word that it is missed. Gives way by itself once the arena is there. */
export default function OfflinePage() {
  const [location] = useLocation();
  usePageTitle("Offline");
  return location === "/" ? <PracticeAlone /> : <PageMissed />;
}

function PracticeAlone() {
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
      <ReadyToPlay rateKobo={null} onPlayable={toNothing} />
    </section>
  );
}

/** Nothing waits for practice here. */
function toNothing(): void {}

function PageMissed() {
  return (
    <>
      <h1 className="visually-hidden">Offline</h1>
      <Empty
        text="This page needs the arena, which cannot be reached now. It opens by itself as soon as you are online. A game under way stays with the arena, and so do its clocks."
        action={<ButtonLink href="/">Practice</ButtonLink>}
      />
    </>
  );
}
