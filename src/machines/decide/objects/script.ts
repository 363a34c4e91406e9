import type { KubeObject } from '#kube/object.ts';
import type { ScriptRequest } from './plan-script.ts';

/** The last line that a script printed on a machine. */
export type LastLine = { readonly node: string; readonly line: string };

export type ScriptEnd =
  | { readonly type: 'done'; readonly lines: readonly LastLine[] }
  /** A script failed: by its exit code, or because it ran into its time limit. */
  | { readonly type: 'failed'; readonly message: string }
  /** No script could run to its end. */
  | { readonly type: 'impossible'; readonly message: string };

/** A script that a hook runs on machines of a Cluster. */
export type MachineScript = {
  readonly cluster: KubeObject;
  readonly request: ScriptRequest;
  /** The same id finds the same run on the machines. */
  readonly id: string;
  /** Shown to others that find a machine in use. */
  readonly asker: string;
  /** Makes an end durable; only then is it removed from the machines. */
  readonly keep: (end: ScriptEnd) => Promise<void>;
};

/** `cancel`: end what runs on the machines. `leave`: stop waiting, and leave it to the next controller. */
export type Stops = { readonly cancel: AbortSignal; readonly leave: AbortSignal };

/** Runs a script on machines of a Cluster. */
export type RunScript = (script: MachineScript, stops: Stops) => Promise<ScriptEnd>;
