import { Button } from "../button/button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface UnloadedProps {
  readonly text: string;
  readonly onTryAgain: () => void;
}

/** Replaces content that could not be loaded and offers a retry. */
export function LoadFailure({ text, onTryAgain }: UnloadedProps) {
  return <EmptyState text={text} action={<Button onClick={onTryAgain}>Try again</Button>} />;
}
