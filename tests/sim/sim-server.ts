import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Received } from '../support/unseen-pods.ts';
import type { NodeLoss } from './model-api/model-nodes.ts';

/** A change as the server tells it, in the order of its store. */
export type ServerChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** As in the embedded server: `/pods`, `apps/controllerrevisions`. */
  readonly storage: string;
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
  /** What the controller that made this change of a pod knew; undefined: it was none. */
  readonly received?: Received | undefined;
};

/** The API server of a simulated world, with simulated kubelets and the controllers of Kubernetes. */
export type SimServer = {
  readonly client: KubeClient;
  subscribe(listener: (change: ServerChange) => void): void;
  stored(storage: string, namespace: string): readonly KubeObject[];
  /** A container of the pod crashes, or the whole pod fails for good. */
  hurt(pod: KubeObject, how: 'crash' | 'fail'): void;
  /** Nodes that can be lost; undefined: those of this server are always there. */
  readonly nodes?: { lose(loss: NodeLoss): void; restoreAll(): void };
  /** Watches from before now are refused. */
  compact(): void;
  /** What the server itself reports as wrong. */
  readonly problems: readonly unknown[];
  close(): Promise<void>;
};
