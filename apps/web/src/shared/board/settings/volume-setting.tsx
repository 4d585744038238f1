import { useId, useState } from "react";
import { useSwitchedOn } from "../../../lib/preferences/switches.ts";
import { playSound } from "../../../lib/sound/sound.ts";
import { loadVolume, saveVolume, VOLUME_MAX } from "../../../lib/sound/volume.ts";
import { Button } from "../../../ui/button/button.tsx";

/** A change is heard at once: the slider plays a move when it is released. */
export function VolumeSetting() {
  const isOn = useSwitchedOn("sound");
  const [volume, setVolume] = useState(loadVolume);
  const id = useId();
  const test = () => playSound("move");
  return (
    <div className="volume">
      <label htmlFor={id}>Volume</label>
      <input
        id={id}
        type="range"
        min={0}
        max={VOLUME_MAX}
        value={volume}
        disabled={!isOn}
        aria-valuetext={`${(100 * volume) / VOLUME_MAX} %`}
        onChange={(event) => {
          setVolume(Number(event.target.value));
          saveVolume(Number(event.target.value));
        }}
        onPointerUp={test}
      />
      <Button size="small" disabled={!isOn} onClick={test}>
        Test sound
      </Button>
    </div>
  );
}
