import { Suspense } from "react";
import { Link } from "wouter";
import { useIdle } from "../../../lib/chunks/idle.ts";
import { lazyChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { ExchangeRate } from "../exchange-rate.tsx";
import { PracticePlaceholder } from "./practice-placeholder.tsx";
import "./practice-section.css";

const Practice = lazyChunk(loadPractice);

/** Loads the sounds too: the connection may be lost before the first touch. */
async function loadPractice() {
  const [practice] = await Promise.all([import("./practice.tsx"), import("../../../lib/sound/sound-synth.ts")]);
  return practice;
}

interface PracticeSectionProps {
  /** Null while offline: then nothing that needs the server is offered. */
  readonly rateKobo: number | null;
  readonly onPlayable?: (() => void) | undefined;
}

export function PracticeSection({ rateKobo, onPlayable }: PracticeSectionProps) {
  return (
    <section className="ready-to-play" aria-labelledby="ready-to-play">
      <h2 id="ready-to-play">Ready to Play?</h2>
      <PracticeBoard onPlayable={onPlayable} />
      {rateKobo !== null && (
        <div className="rate-and-login">
          <ExchangeRate rateKobo={rateKobo} />
          <Link href="/login" className="link alone">
            Start Playing Now
          </Link>
        </div>
      )}
    </section>
  );
}

/** The game loads when the page is idle and shifts no layout. */
function PracticeBoard({ onPlayable }: { readonly onPlayable?: (() => void) | undefined }) {
  const isIdle = useIdle();
  return <Suspense>{isIdle ? <Practice onPlayable={onPlayable} /> : <PracticePlaceholder />}</Suspense>;
}
