import { BoardPicture } from "../../../shared/board/picture/board-picture.tsx";
import { PracticeFrame } from "./practice-frame.tsx";

const START = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "a.a.a.a.", ".a.a.a.a", "a.a.a.a."].join("");

export function PracticePlaceholder() {
  return (
    <PracticeFrame onTakeBack={null} onRestart={null} status="">
      <BoardPicture discs={START} label="A checkers board before the first move" />
    </PracticeFrame>
  );
}
