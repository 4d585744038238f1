import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";

interface UnloadedProps {
  /** What could not be loaded. */
  readonly text: string;
  readonly onTryAgain: () => void;
}

/** In the place of what could not be loaded: that it is not there, and the way to ask for it once more without losing the page. */
export function Unloaded({ text, onTryAgain }: UnloadedProps) {
  return <Empty text={text} action={<Button onClick={onTryAgain}>Try again</Button>} />;
}
