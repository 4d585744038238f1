/** What an attacker sends without an account. Each flood runs until it is stopped. */

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly gameId: string;
  readonly assetPath: string;
}

export interface Attacker {
  readonly target: Target;
  readonly localAddress: string;
  isStopped(): boolean;
  count(): void;
}

export type Flood = (attacker: Attacker) => Promise<void>;
