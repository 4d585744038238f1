import { BoardPicture } from "../../ui/board-picture.tsx";

/** A game of checkers three moves old. */
const OPENING = [".b.b.b.b", "b.b.b.b.", "...b.b.b", "b.......", "...a....", "a.a...a.", ".a.a.a.a", "a.a.a.a."].join(
  "",
);

export function OpeningPicture() {
  return <BoardPicture discs={OPENING} label="A checkers board, three moves into a game" />;
}
