import type { Json, JsonObject } from '#base/json.ts';
import { formatTime, instant, type Instant } from '#base/time.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import type { KubeObject } from '#kube/object.ts';

/** Noon of a day on which nothing happened. */
export const noon: Instant = instant(1_767_614_400_000);
export const after = (seconds: number): Instant => instant(noon + seconds * 1000);

export type PodGiven = {
  readonly name?: string;
  readonly owner?: KubeObject;
  readonly phase?: string;
  /** Seconds after noon at which it became ready. */
  readonly readyAt?: number;
  readonly createdAt?: number;
  readonly isDeleting?: boolean;
  readonly node?: string;
  readonly ip?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly restarts?: number;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
};

let count = 0;

/** A pod as a test needs it: running, unless said otherwise, and ready when it has a time for it. */
export function podOf(given: PodGiven = {}): KubeObject {
  count += 1;
  const name = given.name ?? `pod-${count}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      creationTimestamp: formatTime(after(given.createdAt ?? 0)),
      labels: given.labels ?? { app: 'x' },
      annotations: given.annotations ?? {},
      ...optional('finalizers', given.finalizers),
      ...optional('ownerReferences', given.owner && [controllerReference(given.owner)]),
      ...optional('deletionTimestamp', given.isDeleting === true ? formatTime(noon) : undefined),
    },
    spec: { ...optional('nodeName', given.node), ...given.spec },
    status: { ...statusOf(given), ...given.status },
  };
}

const statusOf = ({ phase = 'Running', readyAt, ip, restarts }: PodGiven): JsonObject => ({
  phase,
  conditions: readyAt === undefined ? [] : [readyCondition(after(readyAt))],
  ...optional('podIP', ip),
  ...optional('podIPs', ip === undefined ? undefined : [{ ip }]),
  ...optional(
    'containerStatuses',
    restarts === undefined ? undefined : [{ name: 'c', restartCount: restarts }],
  ),
});

const optional = (key: string, value: Json | undefined): JsonObject =>
  value === undefined ? {} : { [key]: value };

const readyCondition = (since: Instant): JsonObject => ({
  type: 'Ready',
  status: 'True',
  lastTransitionTime: formatTime(since),
});

/** A workload with a selector and a template that belong together. */
export function workloadOf(
  kind: string,
  name: string,
  spec: JsonObject,
  more: { readonly status?: Json; readonly metadata?: JsonObject; readonly image?: string } = {},
): KubeObject {
  return {
    apiVersion: kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: formatTime(noon),
      ...more.metadata,
    },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      template: {
        metadata: { labels: { app: 'x' } },
        spec: { containers: [{ name: 'c', image: more.image ?? 'img:1' }] },
      },
      ...spec,
    },
    status: more.status ?? {},
  };
}
