import { Suspense } from "react";
import { Link } from "wouter";
import { latePart } from "../../lib/late-part.ts";
import { BoardPicture } from "../../ui/board-picture.tsx";
import { useIdle } from "../../ui/use-idle.ts";
import { PracticeFrame } from "./practice-frame.tsx";
import { Rate } from "./rate.tsx";
import "./ready-to-play.css";

const START = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "a.a.a.a.", ".a.a.a.a", "a.a.a.a."].join("");

const Practice = latePart(loadPractice);

/** The sounds come with it: they would else be asked for at the first touch, when the connection may be gone. */
async function loadPractice() {
  const [practice] = await Promise.all([import("./practice.tsx"), import("../../lib/sound-synth.ts")]);
  return practice;
}

interface ReadyToPlayProps {
  /** Null where the arena has not said it: then nothing that needs the arena is offered. */
  readonly rateKobo: number | null;
  /** Practice has come: what is less than that may follow. */
  readonly onPlayable: () => void;
}

/** The practice game of who is not logged in; it comes once the page itself is there, and moves nothing by coming. */
export function ReadyToPlay({ rateKobo, onPlayable }: ReadyToPlayProps) {
  const isIdle = useIdle();
  return (
    <section className="ready-to-play" aria-labelledby="ready-to-play">
      <h2 id="ready-to-play">Ready to Play?</h2>
      <Suspense>{isIdle ? <Practice onPlayable={onPlayable} /> : <PracticeAhead />}</Suspense>
      {rateKobo !== null && (
        <>
          <Rate rateKobo={rateKobo} />
          <Link href="/login" className="link alone">
            Start Playing Now
          </Link>
        </>
      )}
    </section>
  );
}

function PracticeAhead() {
  return (
    <PracticeFrame onTakeBack={null} onRestart={null} status="">
      <BoardPicture discs={START} label="A checkers board before the first move" />
    </PracticeFrame>
  );
}
