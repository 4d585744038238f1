import { DARK_SQUARES } from "./dark-squares.ts";
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
        {[...discs].map((disc, square) =>
          disc === "." ? null : (
            <use
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the square
              key={square}
              href={disc === "a" ? "#disc-1" : "#disc-2"}
              x={(square & 7) + 0.04}
              y={(square >> 3) + 0.04}
              width=".92"
              height=".92"
            />
          ),
        )}
      </svg>
      <ol className="files" aria-hidden="true">
        {[..."abcdefgh"].map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ol>
    </div>
  );
}
