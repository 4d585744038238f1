import { Link } from "wouter";
import { BoardPicture } from "../../ui/board-picture.tsx";
import "./ready-to-play.css";

/** A game of checkers three moves old. */
const OPENING = [".b.b.b.b", "b.b.b.b.", "...b.b.b", "b.......", "...a....", "a.a...a.", ".a.a.a.a", "a.a.a.a."].join(
  "",
);

export function ReadyToPlay() {
  return (
    <div className="ready-to-play">
      <h2>Ready to Play?</h2>
      <BoardPicture discs={OPENING} label="A checkers board, three moves into a game" />
      <p>
        <span className="muted">12 pieces each, a stake on every one.</span>
        <Link href="/login" className="link alone">
          Start Playing Now
        </Link>
      </p>
    </div>
  );
}
