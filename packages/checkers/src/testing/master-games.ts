interface MasterGame {
  readonly about: string;
  readonly text: string;
  readonly plies: number;
  readonly end: string;
}

/**
 * Each named game is legal to its end; years that collections dispute are omitted. The others
 * continue the City game with random legal moves of the named seed.
 */
export const MASTER_GAMES: readonly MasterGame[] = [
  {
    about: "Seven men against seven at the end; black resigned.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Kuperman, I."]
[Black "Mirotin, B."]
[Result "1-0"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 c7-d6 3. g3-f4 b6-a5 4. d4:b6 a5:c7 5. a1-b2 f6-g5 6.
c3-d4 g7-f6 7. d2-c3 h8-g7 8. c1-d2 d6-c5 9. d4:b6 a7:c5 10. c3-d4 c7-b6 11.
h2-g3 g5-h4 12. f4-e5 f6-g5 13. g3-f4 b8-c7 14. d2-c3 e7-d6 15. f2-g3 h4:f2 16.
e1:g3 b6-a5 17. d4:b6 g5-h4 18. e5-f6 g7:e5 19. e3-d4 h4:f2 20. d4:f6 1-0
`,
    plies: 39,
    end: "B:Wb6,f6,f4,a3,c3,b2,g1:Bd8,f8,c7,d6,h6,a5,f2",
  },
  {
    about: "Five men against four at the end; black resigned.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Kuperman, I."]
[Black "Berak, A."]
[Result "1-0"]
[GameType "25,W,8,8,A0,0"]

1. c3-b4 f6-e5 2. e3-f4 g7-f6 3. d2-e3 b6-c5 4. b4-a5 f8-g7 5. b2-c3 f6-g5 6.
e3-d4 g5:e3 7. d4:b6 a7:c5 8. f2:b6 b8-a7 9. c3-b4 a7:c5 10. c1-d2 h6-g5 11.
d2-e3 g5-h4 12. g3-f4 e5:g3 13. h2:f4 g7-f6 14. f4-g5 h4-g3 15. g5-h6 f6-e5 16.
e3-f4 g3-h2 17. f4-g5 e7-f6 18. g5:e7 d8:f6 19. h6-g7 e5-f4 20. g7:g3 h2:f4 21.
e1-f2 c5-d4 22. a1-b2 d6-e5 23. b2-c3 d4:b2 24. a3:c1 1-0
`,
    plies: 47,
    end: "B:Wa5,b4,f2,c1,g1:Bh8,c7,e5,f4",
  },
  {
    about: "Captures of several men with a turn between them.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Korshunov, D."]
[Black "Kuperman, I."]
[Result "1/2-1/2"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 e7-d6 3. c3-b4 b6-a5 4. d4:b6 a5:c3 5. d2:b4 a7:c5 6.
b4-a5 f6-e5 7. a1-b2 g7-f6 8. b2-c3 h8-g7 9. c3-b4 e5-d4 10. g3-h4 f6-e5 11.
e3-f4 e5:g3 12. h2:f4 g7-f6 13. c1-d2 d4-c3 14. f2-e3 f6-e5 15. g1-h2 e5:g3 16.
h2:f4 d8-e7 17. f4-g5 h6:f4 18. e3:g5 c5-d4 19. d2-e3 d4:f2 20. e1:g3 c3-b2 21.
a3:c1 c7-b6 22. a5:e5 e7-f6 23. e5:g7 f8:h2 1/2-1/2
`,
    plies: 46,
    end: "W:Wb4,h4,c1:Bb8,h2",
  },
  {
    about: "Black crowns and takes with the king.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Blinder, B."]
[Black "Berak, A."]
[Result "1/2-1/2"]
[GameType "25,W,8,8,A0,0"]

1. e3-d4 f6-g5 2. g3-h4 d6-c5 3. h4:f6 c5:e3 4. f2:d4 g7:e5 5. d4:f6 e7:g5 6.
e1-f2 f8-e7 7. c3-d4 b6-c5 8. d4:b6 a7:c5 9. b2-c3 h8-g7 10. c3-d4 c5:e3 11.
f2:d4 g7-f6 12. g1-f2 e7-d6 13. d4-c5 d6:b4 14. a3:c5 f6-e5 15. a1-b2 b8-a7 16.
b2-a3 c7-b6 17. d2-e3 b6:d4 18. e3:c5 d8-c7 19. c1-d2 c7-b6 20. d2-e3 b6:d4 21.
e3:c5 g5-f4 22. a3-b4 h6-g5 23. c5-d6 e5:c7 24. f2-g3 f4-e3 25. g3-f4 e3-f2 26.
f4:h6 f2-e1 27. h6-g7 e1:a5 1/2-1/2
`,
    plies: 54,
    end: "W:Wg7,h2:Ba7,c7,Ka5",
  },
  {
    about: "Black's king walks from corner to corner.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Petrov, S."]
[Black "Romanov, V. N."]
[Result "0-1"]
[GameType "25,W,8,8,A0,0"]

1. c3-b4 f6-e5 2. e3-f4 g7-f6 3. b4-a5 f6-g5 4. b2-c3 g5:e3 5. d2:f4 e7-f6 6.
a1-b2 f8-g7 7. f2-e3 f6-g5 8. g3-h4 e5:g3 9. h4:f2 g5-f4 10. e3:g5 h6:f4 11.
a3-b4 f4-e3 12. f2:d4 b6-c5 13. d4:b6 a7:a3 14. g1-f2 d6-e5 15. f2-e3 g7-f6 16.
h2-g3 h8-g7 17. g3-h4 g7-h6 18. e1-f2 h6-g5 19. f2-g3 c7-b6 20. a5:c7 b8:d6 21.
g3-f4 e5:g3 22. h4:f2 d6-e5 23. e3-d4 d8-c7 24. d4-c5 c7-d6 25. c5:e7 f6:d8 26.
f2-e3 e5-f4 27. e3-d4 f4-g3 28. d4-c5 g3-f2 29. c5-b6 f2-g1 30. b6-a7 g1-h2 31.
c3-d4 h2-b8 32. b2-c3 g5-f4 33. d4-c5 f4-g3 34. c3-d4 g3-h2 0-1
`,
    plies: 68,
    end: "W:Wa7,c5,d4,c1:BKb8,d8,a3,h2",
  },
  {
    about: "Both crown in the last moves.",
    text: `[Event "Championship of the USSR"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Tyunev, E."]
[Black "Blinder, S."]
[Result "0-1"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 c7-d6 3. a1-b2 b6-a5 4. d4:b6 a5:c7 5. a3-b4 f6-g5 6.
b4-a5 g5-f4 7. e3:g5 h6:f4 8. g3:e5 d6:f4 9. c3-d4 g7-f6 10. f2-g3 h8-g7 11.
g3:e5 e7-d6 12. g1-f2 d6:f4 13. d2-e3 f4:d2 14. c1:e3 c7-b6 15. a5:c7 b8:d6 16.
h2-g3 d6-e5 17. b2-c3 a7-b6 18. g3-h4 g7-h6 19. e1-d2 d8-c7 20. h4-g5 f6:h4 21.
d4:f6 h6-g5 22. c3-d4 g5:e7 23. e3-f4 c7-d6 24. d2-c3 b6-c5 25. d4:b6 d6-e5 26.
f4:d6 e7:a7 27. c3-d4 a7-b6 28. d4-e5 f8-e7 29. f2-e3 b6-a5 30. e3-f4 a5-b4 31.
e5-d6 e7:c5 32. f4-e5 b4-a3 33. e5-f6 a3-b2 34. f6-g7 c5-d4 35. g7-f8 d4-e3 36.
f8-a3 b2-a1 0-1
`,
    plies: 72,
    end: "W:WKa3:Bh4,e3,Ka1",
  },
  {
    about: "A man is crowned amid its last capture and goes on as a king.",
    text: `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Polousov, A."]
[Black "Kazas, D."]
[Result "1-0"]
[GameType "25,W,8,8,A0,0"]

1. c3-b4 b6-c5 2. b2-c3 f6-e5 3. a1-b2 g7-f6 4. e3-f4 f6-g5 5. b4-a5 g5:e3 6.
d2:f4 c7-b6 7. a5:c7 d8:b6 8. f4-g5 h6:f4 9. a3-b4 c5:a3 10. c1-d2 a3:e3 11.
f2:a5 1-0
`,
    plies: 21,
    end: "B:WKa5,c3,g3,h2,e1,g1:Bb8,f8,h8,a7,d6,f4",
  },
  {
    about: "The end of a game, from a position; its last capture ends where it began.",
    text: `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Tsirik, Z."]
[Black "Borisov"]
[Result "1-0"]
[FEN "B:W18,19,21,22,23,25,26,27,28,32:B3,6,8,9,10,11,12,13,14,20"]
[GameType "25,W,8,8,A0,0"]
[SetUp "1"]

1... h6-g5 2. f4:h6 d6-e5 3. a3-b4 c5:c1 4. c3-b4 e5:g3 5. h2:f4 a5:c3 6. f4-g5
c1:f4 7. g5:e7 f8:d6 8. h6:h6 1-0
`,
    plies: 14,
    end: "B:WKh6,g1:Bc7,b6,h4",
  },
  {
    about: "Made by seed 30: ends by no_moves.",
    text: `[Event "Random play"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "0-1"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 5. g3-f4 d8-e7 6.
d2-c3 e7-f6 7. e1-d2 h6-g5 8. f4:h6 h4-g3 9. h2:f4 f6-g5 10. c3-b4 g5-h4 11.
b4:d6 c7:e5:g3:e1:c3:e5 12. a1-b2 e5:a1 13. c1-d2 a1-e5 14. d2-c3 e5:a1 15.
e3-d4 a1:e5 16. g1-h2 e5-d4 17. a3-b4 d4-a1 18. b4-c5 b6:d4 19. h2-g3 h4:f2 0-1
`,
    plies: 38,
    end: "W:Wh6:Bb8,f8,h8,a7,g7,d4,f2,Ka1",
  },
  {
    about: "Made by seed 366: ends by no_pieces.",
    text: `[Event "Random play"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 5. a1-b2 h6-g5 6.
b2-c3 d8-e7 7. c1-b2 g5-f4 8. e3:g5 c5:c1 9. g5-h6 c1-f4 10. g3:e5 g7-f6 11.
e5:g7 h8:f6 12. f2-e3 e7-d6 13. h2-g3 h4:d4 14. c3:g7 d6-c5 15. g1-f2 c5-d4 16.
e1-d2 d4-c3 17. b2:d4 c7-d6 18. d4-c5 b6:d4 19. f2-e3 d4:f2 20. d2-e3 f2:d4 21.
g7-h8 f8-g7 22. h8:f6:a1 a7-b6 23. a1-d4 b8-a7 24. d4-h8 b6-a5 25. a3-b4 a5:c3
26. h8:a1 a7-b6 27. a1-h8 d6-c5 28. h8-a1 c5-d4 29. a1:e5 b6-a5 30. e5-h2 a5-b4
31. h6-g7 b4-c3 32. g7-f8 c3-d2 33. f8-d6 d2-c1 34. d6-g3 c1-d2 35. g3-h4 d2-h6
36. h2-g1 h6-g5 37. h4:d8 1-0
`,
    plies: 73,
    end: "B:WKd8,Kg1:B",
  },
  {
    about: "Made by seed 2934: ends by main_road.",
    text: `[Event "Random play"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1/2-1/2"]
[GameType "25,W,8,8,A0,0"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 5. g3-f4 c5-b4 6.
a3:c5 h4-g3 7. f2:h4 b6-a5 8. f4-e5 c7-d6 9. c5:e7 d8:f6 10. a1-b2 f6-g5 11.
h4:f6 b8-c7 12. f6-e7 f8:f4 13. e3:g5 h6:f4 14. e1-f2 c7-d6 15. d2-e3 f4:d2 16.
c1:e3 d6-e5 17. d4:f6 g7:e5 18. b2-a3 a5-b4 19. a3:c5 e5-f4 20. e3:g5 h8-g7 21.
f2-g3 g7-h6 22. c5-b6 h6:f4 23. g3:e5 a7:c5 24. e5-f6 c5-b4 25. g1-f2 b4-c3 26.
f6-e7 c3-b2 27. e7-f8 b2-a1 28. f8-a3 a1-c3 29. a3-c5 c3-h8 30. f2-g3 h8-g7 31.
c5-d6 g7-c3 32. d6-a3 c3-a1 1/2-1/2
`,
    plies: 64,
    end: "W:WKa3,g3,h2:BKa1",
  },
];
