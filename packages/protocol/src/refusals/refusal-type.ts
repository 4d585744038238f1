export interface RefusalText {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}
