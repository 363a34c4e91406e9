import type { JsonObject } from '#base/json.ts';
import { formatMicroTime, formatTime } from '#base/time.ts';
import {
  deletingAnnotation,
  gateType,
  inPlaceGraceAnnotation,
  inPlaceStateAnnotation,
  instanceLabel,
  leavingAnnotation,
  podCostAnnotation,
  preDeleteFinalizer,
  revisionLabel,
} from '#releases/model/well-known.ts';
import type { KubeObject } from '#kube/object.ts';
import { after } from '#kube/workload/testing/objects.ts';
import { controllerReference } from '#kube/workload/owner.ts';

/**
 * A pod in one line: its id, its revision, and words about it. It runs on node n, its gate is open, and it has been
 * ready since 100 s before noon, unless the words say otherwise. Annotations that have spaces come beside the line.
 */
export type PodShort =
  string | { readonly pod: string; readonly annotations: Readonly<Record<string, string>> };

type Words = {
  readonly id: string;
  readonly revision: string;
  readonly flags: ReadonlySet<string>;
  /** `name:value` */
  readonly value: (name: string) => string | undefined;
};

export function podFrom(short: PodShort, owner: KubeObject): KubeObject {
  const [line, more] = typeof short === 'string' ? [short, {}] : [short.pod, short.annotations];
  const words = wordsOf(line);
  const { id, revision, flags, value } = words;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `gd-${id}`,
      namespace: 'default',
      uid: `uid-gd-${id}`,
      creationTimestamp: formatTime(after(Number(value('created') ?? -200))),
      labels: { app: 'x', [instanceLabel]: id, [revisionLabel]: revision },
      annotations: { ...annotationsFrom(words), ...more },
      ...(flags.has('finalizer') ? { finalizers: [preDeleteFinalizer] } : {}),
      ...(flags.has('deleting') ? { deletionTimestamp: formatTime(after(0)) } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    spec: {
      ...(flags.has('unscheduled') ? {} : { nodeName: value('node') ?? 'n' }),
      containers: [{ name: 'c', image: `image:${revision}` }],
      ...(value('gate') === 'none' ? {} : { readinessGates: [{ conditionType: gateType }] }),
    },
    status: statusFrom(words),
  };
}

const phases = ['Pending', 'Unknown', 'Failed', 'Succeeded'];

function wordsOf(line: string): Words {
  const [id = '', revision = '', ...rest] = line.split(' ');
  const values = new Map(
    rest
      .filter((word) => word.includes(':'))
      .map((word) => {
        const at = word.indexOf(':');
        return [word.slice(0, at), word.slice(at + 1)] as const;
      }),
  );
  return { id, revision, flags: new Set(rest), value: (name) => values.get(name) };
}

function annotationsFrom({ flags, value }: Words): Readonly<Record<string, string>> {
  const entries: readonly (readonly [string, string | undefined])[] = [
    [deletingAnnotation, flags.has('asked') || value('leaving') !== undefined ? 'true' : undefined],
    [leavingAnnotation, value('leaving')],
    [podCostAnnotation, value('cost')],
    [inPlaceStateAnnotation, stateFrom(value('state'), flags.has('due'))],
    [inPlaceGraceAnnotation, graceFrom(value('grace'))],
  ];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** `state:new@-30`: an update to new was begun 30 s before noon, when old ran and had not been restarted. */
function stateFrom(word: string | undefined, isHookDue: boolean): string | undefined {
  if (word === undefined) return undefined;
  const [revision = '', since = '0'] = word.split('@');
  return JSON.stringify({
    revision,
    updateTimestamp: formatMicroTime(after(Number(since))),
    lastContainerStatuses: { c: { imageID: 'sha-old', containerID: 'c-0', restartCount: 0 } },
    ...(isHookDue ? { postHook: 'due' } : {}),
  });
}

/** `grace:new@30`: the image of new waits for the end of 30 s. */
function graceFrom(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  const [revision = '', seconds = '0'] = word.split('@');
  const containerImages = { c: `image:${revision}` };
  return JSON.stringify({ revision, containerImages, graceSeconds: Number(seconds) });
}

function statusFrom({ revision, flags, value }: Words): JsonObject {
  const phase = phases.find((each) => flags.has(each)) ?? 'Running';
  const isReady = phase === 'Running' && !flags.has('unready');
  const since = formatTime(after(Number(value('ready') ?? -100)));
  const gate = value('gate') ?? 'open';
  const restartCount = Number(value('restarts') ?? 0);
  return {
    phase,
    podIP: '10.0.0.1',
    hostIP: '10.1.0.1',
    conditions: [
      { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: since },
      ...(gate === 'open' || gate === 'shut'
        ? [{ type: gateType, status: gate === 'open' ? 'True' : 'False' }]
        : []),
    ],
    containerStatuses: [
      {
        name: 'c',
        imageID: `sha-${value('runs') ?? revision}`,
        containerID: `c-${restartCount}`,
        restartCount,
        state: flags.has('waiting') ? { waiting: {} } : stateOf(value('waiting')),
      },
    ],
  };
}

const stateOf = (waiting: string | undefined): JsonObject =>
  waiting === undefined ? { running: {} } : { waiting: { reason: waiting } };
