import { classes } from "../../ui/classes.ts";
import { Disc } from "../../ui/disc.tsx";
import "./rank-disc.css";

/** The best rank wears the crown, the others stand on an ivory and an ebony disc. */
export function RankDisc({ rank }: { readonly rank: number }) {
  return (
    <span className={classes("rank-disc", rank === 1 && "first", rank > 2 && "ebony")}>
      <Disc seat={rank > 2 ? 2 : 1} crowned={rank === 1} size={54} />
      <b>{rank}</b>
    </span>
  );
}
