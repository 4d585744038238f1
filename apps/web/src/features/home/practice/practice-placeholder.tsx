import { BoardPicture } from "../../../shared/board/picture/board-picture.tsx";
import { PracticeLayout } from "./practice-layout.tsx";

const START = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "a.a.a.a.", ".a.a.a.a", "a.a.a.a."].join("");

export function PracticePlaceholder() {
  return (
    <PracticeLayout onTakeBack={null} onRestart={null} status="">
      <BoardPicture discs={START} label="A checkers board before the first move" />
    </PracticeLayout>
  );
}
