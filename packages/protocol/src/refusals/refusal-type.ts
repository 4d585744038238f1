/** A refusal's text. `toRefusalView` fills in its placeholders, such as `{need}`. */
export interface RefusalText {
  /** HTTP status of a refused request. */
  readonly status: number;
  readonly title: string;
  readonly text: string;
}
