import type { Metrics } from '#base/metrics.ts';
import type { Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { ControllerSetParts } from './controller-set.ts';
import type { LoopDeps } from './loop-deps.ts';

/** A client that acts with the rights of a service account, never with those of the controller. */
export type Impersonate = (namespace: string, serviceAccount: string) => KubeClient;

/** The dependencies of Boathook's controllers. */
export type ControlDeps = LoopDeps &
  ControllerSetParts & {
    readonly impersonate: Impersonate;
    readonly outgoing: Outgoing;
    /** Whether an object with this key is reconciled here; all are unless given. */
    readonly owns?: ((key: string) => boolean) | undefined;
    /** HMAC-SHA256 in hexadecimal. */
    readonly hmac: (key: string, text: string) => string;
    /** The metrics of the process; without them none are kept. */
    readonly metrics?: Metrics | undefined;
    /** The IP address of the machine that this process runs on, for the argument HostIP of hooks. */
    readonly hostIP?: string;
    /** How often one metric of a HookRun may be called at the most; every 100 ms unless given. */
    readonly minHookInterval?: Millis | undefined;
  };
