import { Suspense, useState } from "react";
import { nearPart } from "../../lib/late-part.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Scene } from "./scene.ts";

const OptionsDialog = nearPart(() => import("./options-dialog.tsx"));

interface OptionsButtonProps {
  readonly scene: Scene;
  readonly className?: string;
}

/** The table's menu: what is needed seldom, or has no room on a phone. */
export function OptionsButton({ scene, className = "" }: OptionsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        className={`options-button ${className}`}
        aria-haspopup="dialog"
        aria-label="Options"
        title="Options"
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        <span>Options</span>
      </Button>
      {isOpen && (
        <Suspense>
          <OptionsDialog scene={scene} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
