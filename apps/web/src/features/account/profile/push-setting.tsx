import { useEffect, useState } from "react";
import { currentNativeHost } from "../../../lib/native/native-host.ts";
import { type PushObstacle, pushSwitch } from "../../../lib/preferences/push.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  unsupported:
    "This browser can't show notices while Holo Arena is closed. On an iPhone or iPad, add Holo Arena to the home screen and open it there.",
  denied: "Notifications are off in your browser. Allow them for Holo Arena in its site settings.",
};
const IN_APP = "The app can't show notices while it's closed. Open Holo Arena in Chrome or Edge for that.";
const REASON =
  "On this device: someone joins your game, your time runs short, an offer waits, or a payment is done. Never ads.";

const FAILED = "We couldn't switch it. Please try again in a moment.";

/** Off until it is switched on here, per device (ruling 45). */
export function PushSetting({ playerId }: { readonly playerId: string }) {
  const isInApp = currentNativeHost() !== null;
  const [on, setOn] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    pushSwitch.renew(playerId).then(setOn, () => setOn(false));
  }, [playerId]);

  async function change(next: boolean): Promise<void> {
    setFailure(null);
    setOn(next);
    try {
      if (!next) return await pushSwitch.switchOff();
      const done = await pushSwitch.switchOn(playerId);
      setOn(done.on);
      if (!done.on) setFailure(OBSTACLES[done.why as PushObstacle] ?? done.why);
    } catch {
      setOn(!next);
      setFailure(FAILED);
    }
  }

  return (
    <Panel label="Notices while closed">
      <Switch label="Notices while closed" on={on} disabled={isInApp} onChange={(next) => void change(next)} />
      <p className="meta" role={failure === null ? undefined : "alert"}>
        {failure ?? (isInApp ? IN_APP : REASON)}
      </p>
    </Panel>
  );
}
