import { useEffect, useReducer, useRef } from "react";
import { checkFile } from "./release-check.ts";
import { type ReleaseToSend, sendRelease } from "./send-release.ts";
import { evolveUpload, IDLE, isUnderWay, type UploadEvent, type UploadState } from "./upload-state.ts";

interface Upload {
  readonly state: UploadState;
  readonly start: (release: ReleaseToSend) => Promise<void>;
  readonly cancel: () => void;
  readonly change: () => void;
}

/**
 * One upload at a time. Leaving the page aborts it, after the browser's own confirmation. `onEvent`
 * is called when the stored releases may have changed.
 */
export function useUpload(onEvent: (event: UploadEvent) => void): Upload {
  const [state, dispatch] = useReducer(evolveUpload, IDLE);
  const end = useRef<(() => void) | null>(null);
  const isBusy = isUnderWay(state);

  useEffect(
    () => () => {
      end.current?.();
      end.current = null;
    },
    [],
  );
  useEffect(() => {
    if (!isBusy) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", hold);
    return () => removeEventListener("beforeunload", hold);
  }, [isBusy]);

  function handle(event: UploadEvent) {
    dispatch(event);
    if (event.type !== "sent") onEvent(event);
  }

  return {
    state,
    async start(release) {
      const thisUpload = () => {};
      end.current = thisUpload;
      dispatch({ type: "begun", totalBytes: release.file.size });
      const checked = await checkFile(release.file, release.platform);
      if (end.current !== thisUpload) return;
      if (!checked.ok) return dispatch({ type: "refused", refusal: checked.refusal });
      end.current = sendRelease(release, handle);
    },
    cancel() {
      end.current?.();
      end.current = null;
      handle({ type: "cancelled" });
    },
    change: () => dispatch({ type: "changed" }),
  };
}
