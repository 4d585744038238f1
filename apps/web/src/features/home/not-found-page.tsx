import { BoardPicture } from "../../shared/board/picture/board-picture.tsx";
import { ButtonLink } from "../../ui/button/button.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import "./not-found-page.css";

/** Row 8 first; `a` and `b` are the discs of each side. */
const ENDGAME = [".b...b.b", "..b...b.", "...b....", "........", "........", "a.....a.", ".a.a....", "..a.a..."].join(
  "",
);

export default function NotFoundPage() {
  usePageTitle("Page not found");
  return (
    <div className="not-found">
      <div>
        <p className="number" aria-hidden="true">
          404
        </p>
        <h1>Oops! This move isn't in our playbook.</h1>
        <div className="actions">
          <ButtonLink href="/" kind="primary" size="large">
            Home
          </ButtonLink>
          <ButtonLink href="/register" size="large">
            Create Account
          </ButtonLink>
        </div>
      </div>
      <div className="scene">
        <BoardPicture discs={ENDGAME} label="A board with a disc that left it" />
        <Disc seat={1} crowned size={84} className="stray" />
      </div>
    </div>
  );
}
