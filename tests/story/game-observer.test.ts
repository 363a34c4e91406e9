import { expect, test } from 'vitest';
import { objectAt, without, type JsonObject } from '#base/json.ts';
import { formatTime, instant } from '#base/time.ts';
import { nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { ReleaseObserver, type Seen } from '../support/release-observer.ts';

/** The observer itself: each rule can be broken, and it says so. */
const at = instant(Date.UTC(2026, 0, 5, 12));
const time = '2026-01-05T11:00:00Z';
const owner = { apiVersion: 'v1', kind: 'GameDeployment', name: 'g', uid: 'w', controller: true };

const workload = (spec: JsonObject = {}, status: JsonObject = {}, generation = 1): KubeObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name: 'g', uid: 'w', generation },
  spec: {
    replicas: 3,
    updateStrategy: { maxUnavailable: 1, maxSurge: 0, canary: { steps: [{ partition: 2 }, { pause: {} }] } },
    ...spec,
  },
  status: {
    observedGeneration: generation,
    updateRevision: 'new',
    currentStepIndex: 0,
    currentStepHash: 'h',
    canary: { revision: 'old' },
    ...status,
  },
});

type Pod = { readonly revision?: string; readonly gate?: string; readonly meta?: JsonObject };

const pod = (name: string, { revision = 'old', gate = 'True', meta = {} }: Pod = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    uid: name,
    labels: {
      'controller-revision-hash': revision,
      'tkex.bkbcs.tencent.com/gamedeployment-instance-id': name,
    },
    ownerReferences: [owner],
    ...meta,
  },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: time },
      { type: 'InPlaceUpdateReady', status: gate, lastTransitionTime: time },
    ],
  },
});

const run = (instance: string, phase: string, podUid = instance): KubeObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookRun',
  metadata: {
    name: `run-${instance}`,
    uid: `run-${instance}`,
    creationTimestamp: '2026-01-05T11:59:00Z',
    labels: {
      'boathook.dev/hook-point': 'pre-delete',
      'boathook.dev/instance': instance,
      'boathook.dev/pod-uid': podUid,
      'boathook.dev/revision': 'old',
    },
    ownerReferences: [owner],
  },
  status: { phase },
});

const added = (object: KubeObject): Seen => ({ type: 'ADDED', object, at });
const changed = (object: KubeObject): Seen => ({ type: 'MODIFIED', object, at });
const gone = (object: KubeObject): Seen => ({ type: 'DELETED', object, at });
const deleting = { deletionTimestamp: time };
const hook = { hook: { templateName: 't' } };
const enforced = { preDeleteUpdateStrategy: { ...hook, enforce: 'Always' } };
const finalizers = { finalizers: ['boathook.dev/pre-delete-hook'] };

type Case = {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly happens: readonly Seen[];
  readonly says?: RegExp;
};

test.for<Case>([
  { name: 'one pod out of service', happens: [changed(pod('a', { gate: 'False' }))] },
  {
    name: 'two pods out of service by their gates',
    happens: [changed(pod('a', { gate: 'False' })), changed(pod('b', { gate: 'False' }))],
    says: /Pod \/b was taken out of service: 1 are left, 2 must be/,
  },
  {
    name: 'two pods deleted',
    happens: [changed(pod('a', { meta: deleting })), gone(pod('b'))],
    says: /Pod \/b was taken out of service: 1 are left, 2 must be/,
  },
  { name: 'as many updated as the step allows', happens: [changed(pod('a', { revision: 'new' }))] },
  {
    name: 'one updated too many',
    happens: [changed(pod('a', { revision: 'new' })), changed(pod('b', { revision: 'new' }))],
    says: /Pod \/b came to revision new: 2 have it, 1 may at this step/,
  },
  { name: 'back to the stable revision', happens: [changed(pod('a', { revision: 'old' }))] },
  {
    name: 'a pod too many',
    happens: [added(pod('d'))],
    says: /Pod \/d is one too many: 4 are there, 3 may be/,
  },
  {
    name: 'deleted without a question',
    spec: { preDeleteUpdateStrategy: hook },
    happens: [changed(pod('a', { meta: deleting }))],
    says: /Pod \/a was deleted without its hook's consent/,
  },
  {
    name: 'deleted against the answer',
    spec: { preDeleteUpdateStrategy: hook },
    happens: [added(run('a', 'Failed')), changed(pod('a', { meta: deleting }))],
    says: /Pod \/a was deleted without/,
  },
  {
    name: 'deleted with consent',
    spec: { preDeleteUpdateStrategy: hook },
    happens: [added(run('a', 'Successful')), changed(pod('a', { meta: deleting }))],
  },
  {
    name: 'deleted with consent to the deletion of the pod that had its place before',
    spec: { preDeleteUpdateStrategy: hook },
    happens: [added(run('a', 'Successful', 'former')), changed(pod('a', { meta: deleting }))],
    says: /Pod \/a was deleted without/,
  },
  {
    name: 'deleted after the deadline',
    spec: { preDeleteUpdateStrategy: { ...hook, deadlineSeconds: 30, onDeadline: 'Proceed' } },
    happens: [added(run('a', 'Running')), changed(pod('a', { meta: deleting }))],
  },
  {
    name: 'changed in place without consent',
    spec: { preDeleteUpdateStrategy: hook },
    happens: [changed(pod('a', { revision: 'new' }))],
    says: /Pod \/a was changed without/,
  },
  {
    name: 'released without consent',
    spec: enforced,
    happens: [
      added(run('a', 'Successful')),
      changed(pod('a', { meta: { ...deleting, ...finalizers } })),
      changed(run('a', 'Running')),
      changed(pod('a', { meta: deleting })),
    ],
    says: /Pod \/a was released without/,
  },
  {
    name: 'paused in words only',
    happens: [changed(workload({}, { pauseConditions: [{ reason: 'PausedByCanaryPauseStep' }] }))],
    says: /GameDeployment \/g says PausedByCanaryPauseStep, but paused is not true/,
  },
  {
    name: 'a step left out',
    happens: [changed(workload({}, { currentStepIndex: 2 }))],
    says: /GameDeployment \/g went from step 0 to step 2/,
  },
])('$name', ({ spec = {}, happens, says }) => {
  const observer = new ReleaseObserver();
  for (const object of [workload(spec), pod('a'), pod('b'), pod('c')]) observer.see(added(object));
  observer.calm();
  for (const seen of happens) observer.see(seen);
  expect(observer.complaints.join('\n')).toMatch(says ?? /^$/);
});

/** Steps that are new to the status: what was released before them stays, and what was not finished walks them. */
test.for([
  { name: 'after a release', last: 'new', says: /^$/ },
  {
    name: 'during a release',
    last: 'old',
    says: /Pod \/d came to revision new: 3 have it, 1 may at this step/,
  },
])('a lost pod made again when steps were added $name', ({ last, says }) => {
  const observer = new ReleaseObserver();
  const walked = objectAt(workload(), 'spec', 'updateStrategy') ?? {};
  const before = (updateStrategy: JsonObject, generation: number): KubeObject => ({
    ...workload({ updateStrategy }, {}, generation),
    status: { observedGeneration: 1, updateRevision: 'new' },
  });
  const fresh = { revision: 'new' };
  const pods = [pod('a', fresh), pod('b', fresh), pod('c', { revision: last })];
  for (const object of [before(without(walked, 'canary'), 1), ...pods]) observer.see(added(object));
  observer.see(gone(pod('c', { revision: last })));
  observer.see(changed(before(walked, 2)));
  observer.calm();
  observer.see(added(pod('d', fresh)));
  expect(observer.complaints.join('\n')).toMatch(says);
});

test.for([
  { revision: 'old', says: /^$/ },
  { revision: 'other', says: /Pod \/d came to revision other: 1 have it, 0 may at this step/ },
])(
  'a lost pod made again, $revision, when steps were added before the first pod was updated',
  ({ revision, says }) => {
    const observer = new ReleaseObserver();
    const begun = (updateStrategy: JsonObject, generation: number): KubeObject => ({
      ...workload({ updateStrategy }, {}, generation),
      status: { observedGeneration: 1, updateRevision: 'new' },
    });
    for (const object of [begun({}, 1), pod('a'), pod('b'), pod('c')]) observer.see(added(object));
    observer.see(gone(pod('c')));
    observer.see(changed(begun({ canary: { steps: [hook, { partition: 1 }] } }, 2)));
    observer.calm();
    observer.see(added(pod('d', { revision })));
    expect(observer.complaints.join('\n')).toMatch(says);
  },
);

/** A pod that a clock ahead counts as available may stand for another one, but is no loss itself. */
test.for([
  {
    name: 'that is available',
    minReadySeconds: 3000,
    last: 0,
    says: /Pod \/a was taken out of service: 1 are/,
  },
  { name: 'for which others serve by that clock', minReadySeconds: 3000, last: 3300, says: /^$/ },
  { name: 'that is available by that clock only', minReadySeconds: 3900, last: 0, says: /^$/ },
])('beside a clock that is 10 minutes ahead a pod is deleted $name', ({ minReadySeconds, last, says }) => {
  const latest = instant(at + 600_000);
  const observer = new ReleaseObserver();
  const readyFor = (name: string, seconds: number): KubeObject => {
    const lastTransitionTime = formatTime(instant(latest - seconds * 1000));
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
    return { ...pod(name), status: { phase: 'Running', conditions } };
  };
  const others = [readyFor('b', 4200), readyFor('c', last)];
  for (const object of [workload({ minReadySeconds }), pod('a'), ...others])
    observer.see({ ...added(object), latest });
  observer.see({ ...changed(pod('a', { meta: deleting })), latest });
  expect(observer.complaints.join('\n')).toMatch(says);
});

/** Of three pods one is lost with the resourceVersion 5, and then one is deleted by a controller. */
test.for([
  { name: 'has not received', received: 4, next: [], says: /^$/ },
  {
    name: 'has received',
    received: 5,
    next: [],
    says: /Pod \/a was taken out of service: 1 are left, 2 must/,
  },
  {
    name: 'has not received, though it is over,',
    received: 4,
    next: [pod('b'), pod('c', { gate: 'False' })],
    says: /Pod \/a was taken out of service: 1 are left, 2 must/,
  },
])('a pod is deleted after the loss of another one that its controller $name', ({ received, next, says }) => {
  const observer = new ReleaseObserver({ isOurDeletion: (each) => nameOf(each) === 'a' });
  for (const object of [workload(), pod('a'), pod('b'), pod('c')]) observer.see(added(object));
  const crashed = { ...pod('b', { meta: { resourceVersion: '5' } }), status: { phase: 'Running' } };
  observer.see(changed(crashed));
  for (const object of next) observer.see(changed(object));
  observer.see({ ...changed(pod('a', { meta: deleting })), received: () => received });
  expect(observer.complaints.join('\n')).toMatch(says);
});

test.for([
  { name: 'the only revision', currentRevision: 'new', says: /^$/ },
  {
    name: 'another revision',
    currentRevision: 'old',
    says: /Pod \/c came to revision new: 3 have it, 1 may/,
  },
])('steps are added while the first pods are made of $name', ({ currentRevision, says }) => {
  const observer = new ReleaseObserver();
  const status = { observedGeneration: 1, updateRevision: 'new', currentRevision };
  const fresh = { revision: 'new' };
  const stepless = { ...workload({ updateStrategy: {} }), status };
  for (const object of [stepless, pod('a', fresh), pod('b', fresh)]) observer.see(added(object));
  observer.see(changed({ ...workload({}, {}, 2), status }));
  observer.calm();
  observer.see(added(pod('c', fresh)));
  expect(observer.complaints.join('\n')).toMatch(says);
});

/** The last step ends with the resourceVersion 5, and then a pod is made of the revision that was stable before. */
test.for([
  { name: 'has not received', received: 4, says: /^$/ },
  { name: 'has received', received: 5, says: /Pod \/d came to revision old: 3 have it, 1 may at this step/ },
  { name: 'has perhaps received', received: -1, says: /came to revision old/ },
])(
  'a pod of the former revision is made after steps whose end its controller $name',
  ({ received, says }) => {
    const observer = new ReleaseObserver();
    for (const object of [
      workload({}, { currentStepIndex: 1 }),
      pod('a'),
      pod('b'),
      pod('c', { revision: 'new' }),
    ])
      observer.see(added(object));
    observer.see(changed(versioned(workload({}, { currentStepIndex: 2, canary: { revision: 'new' } }), '5')));
    observer.see(gone(pod('c', { revision: 'new' })));
    observer.see({ ...added(pod('d')), received: () => received });
    expect(observer.complaints.join('\n')).toMatch(says);
  },
);

const versioned = (object: KubeObject, resourceVersion: string): KubeObject =>
  withMeta(object, { resourceVersion });
