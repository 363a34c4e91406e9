import type { Metrics } from '#base/metrics.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock, Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Report } from './report.ts';
import type { SharedInformers } from './shared-informers.ts';

/** A client that acts with the rights of a service account, never with those of the controller. */
export type Impersonate = (namespace: string, serviceAccount: string) => KubeClient;

/** The dependencies of Boathook's controllers. */
export type ControlDeps = {
  readonly client: KubeClient;
  readonly impersonate: Impersonate;
  readonly outgoing: Outgoing;
  /** HMAC-SHA256 in hexadecimal. */
  readonly hmac: (key: string, text: string) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly report: Report;
  readonly informers: SharedInformers;
  /** The metrics of the process; without them none are kept. */
  readonly metrics?: Metrics | undefined;
  /** The IP address of the machine that this process runs on, for the argument HostIP of hooks. */
  readonly hostIP?: string;
  /** How often one metric of a HookRun may be called at the most; every 100 ms unless given. */
  readonly minHookInterval?: Millis | undefined;
  /** The events of one controller, such as `hookrun-controller`. */
  readonly recorder: (component: string) => EventRecorder;
};
