/** What a player can be told instead of what they asked for. Its places, such as `{need}`, are filled in by `toRefusalView`. */
export interface RefusalText {
  /** HTTP status where the refusal answers a request. */
  readonly status: number;
  readonly title: string;
  readonly text: string;
}
