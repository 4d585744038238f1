/** `toRefusalView` fills in placeholders, such as `{need}`. */
export interface RefusalText {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}
