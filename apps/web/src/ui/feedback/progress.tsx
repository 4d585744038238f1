import "./progress.css";

interface ProgressProps {
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
}

export function Progress({ label, percent }: ProgressProps) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
