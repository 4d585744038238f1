import { DARK_SQUARES } from "./dark-squares.ts";
import { Discs } from "./discs.tsx";
import "./board-picture.css";

interface BoardPictureProps {
  /** 64 characters, row 0 first: `.` empty, `a` ivory, `b` ebony. */
  readonly discs: string;
  readonly label: string;
}

export function BoardPicture({ discs, label }: BoardPictureProps) {
  return (
    <div className="board-picture" role="img" aria-label={label}>
      <ol className="ranks" aria-hidden="true">
        {[..."87654321"].map((rank) => (
          <li key={rank}>{rank}</li>
        ))}
      </ol>
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <path d={DARK_SQUARES} shapeRendering="crispEdges" />
        <Discs seat={1} squares={findSquares(discs, "a")} />
        <Discs seat={2} squares={findSquares(discs, "b")} />
      </svg>
      <ol className="files" aria-hidden="true">
        {[..."abcdefgh"].map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ol>
    </div>
  );
}

function findSquares(discs: string, disc: "a" | "b"): readonly number[] {
  return [...discs].flatMap((letter, square) => (letter === disc ? [square] : []));
}
