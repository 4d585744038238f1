import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";

interface FaultState {
  readonly failed: boolean;
}

/** What a player sees where a page broke: the frame stays, and the next page gets a new chance. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, FaultState> {
  override state: FaultState = { failed: false };

  static getDerivedStateFromError(): FaultState {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty
        text="Something went wrong. Please try again."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      />
    );
  }
}
