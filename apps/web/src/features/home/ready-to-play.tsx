import { Link } from "wouter";
import { OpeningPicture } from "./opening-picture.tsx";
import "./ready-to-play.css";

export function ReadyToPlay() {
  return (
    <div className="ready-to-play">
      <h2>Ready to Play?</h2>
      <OpeningPicture />
      <p>
        <span className="muted">12 pieces each, a stake on every one.</span>
        <Link href="/login" className="link alone">
          Start Playing Now
        </Link>
      </p>
    </div>
  );
}
