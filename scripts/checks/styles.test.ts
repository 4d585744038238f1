import { expect, it } from "vitest";
import { findSharedStyles } from "./styles.ts";

const SITE: Readonly<Record<string, string>> = {
  "src/app/main.tsx": 'import "../ui/button.tsx"; const page = () => import("../features/home/home.tsx");',
  "src/ui/button.tsx": 'import "./button.css"; export const Button = () => <button className="button" />;',
  "src/ui/button.css": ".button { color: red } .button:disabled { color: grey }",
  "src/features/home/home.tsx": `
    import "./home.css";
    import { Rate } from "./rate.tsx";
    export const Home = ({ size }: Props) => <p className={classes("home", \`size-\${size}\`)}><Rate /></p>;`,
  "src/features/home/rate.tsx": 'export const Rate = () => <b className="home-rate rate" />;',
  "src/features/home/home.css": ".home .rate, .home-rate:hover, :root:has(.home) p { color: red }",
  "src/features/board/standings.tsx": `
    import "./standings.css";
    export const Standings = () => <i className={isTop ? "standings rate" : "standings"} />;`,
  "src/features/board/standings.css": ".standings > .rate { color: red }",
};

function find(changed: Readonly<Record<string, string>>) {
  return findSharedStyles(new Map(Object.entries({ ...SITE, ...changed })));
}

it("accepts rules that name a class of their own sheet's components", () => {
  expect(find({})).toEqual([]);
  const sheet = "src/features/home/home.css";
  for (const rule of [
    ".size-large {}",
    ".home { .rate {} }",
    ":is(.home, .home-rate) b {}",
    "html:has(.home) .rate {}",
  ]) {
    expect(find({ [sheet]: rule })).toEqual([]);
  }
});

it("refuses a rule that may match where its sheet is not wanted [SITE-44]", () => {
  const sheet = "src/features/home/home.css";
  const rules = [
    ".rate {}",
    "p {}",
    "html:has(.rate) p {}",
    ".rate:not(.home) {}",
    ":is(.home, .rate) b {}",
    ".button {}",
    ".unused {}",
    "@media (width > 1px) { .rate {} }",
  ];
  for (const rule of rules) expect(find({ [sheet]: `\n${rule}` })).toMatchObject([{ file: sheet, line: 2 }]);
  const other = `export const Other = () => <p className="home" />;`;
  expect(find({ "src/features/board/other.tsx": other })).toHaveLength(2);
});

it("refuses an animation's name in two sheets", () => {
  const spin = "@keyframes spin { to { opacity: 0 } }";
  expect(find({ "src/features/home/home.css": spin, "src/features/board/standings.css": spin })).toHaveLength(1);
});
