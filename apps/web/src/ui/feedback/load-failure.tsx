import { Button } from "../button/button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface UnloadedProps {
  /** What could not be loaded. */
  readonly text: string;
  readonly onTryAgain: () => void;
}

/** In the place of what could not be loaded: that it is not there, and the way to ask for it once more without losing the page. */
export function LoadFailure({ text, onTryAgain }: UnloadedProps) {
  return <EmptyState text={text} action={<Button onClick={onTryAgain}>Try again</Button>} />;
}
