import { Icon } from "../icon/icon.tsx";
import { Button } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, copy] = useCopy(text);

  return (
    <Button onClick={copy}>
      <Icon name={isCopied ? "check" : "copy"} />
      {isCopied ? "Copied" : label}
    </Button>
  );
}
