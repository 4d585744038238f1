/**
 * Distinct moves (from, to, captured squares) from the start of Russian draughts, by depth in
 * plies. Sources: perft threads of the shashki and damforum forums; the tests of the dctl library.
 */
export const START_PERFT: readonly { readonly depth: number; readonly nodes: number }[] = [
  { depth: 1, nodes: 7 },
  { depth: 2, nodes: 49 },
  { depth: 3, nodes: 302 },
  { depth: 4, nodes: 1_469 },
  { depth: 5, nodes: 7_482 },
  { depth: 6, nodes: 37_986 },
  { depth: 7, nodes: 190_146 },
  { depth: 8, nodes: 929_899 },
  { depth: 9, nodes: 4_570_586 },
  { depth: 10, nodes: 22_444_032 },
  { depth: 11, nodes: 110_917_189 },
  { depth: 12, nodes: 544_770_444 },
];
