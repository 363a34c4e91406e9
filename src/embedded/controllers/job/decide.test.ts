import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, instant, type Instant } from '#base/time.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { after, noon, podOf, workloadOf, type PodGiven } from '#kube/workload/testing/objects.ts';
import { annotationsOf, metaOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { decideJob, type JobDecision } from './decide.ts';
import { indexOf, isTracked, trackingFinalizer } from './job-pod.ts';

const jobOf = (spec: JsonObject = {}, status: JsonObject = {}): KubeObject =>
  workloadOf('Job', 'j', { parallelism: 2, completions: 3, backoffLimit: 6, ...spec }, { status });

const pod = (name: string, given: PodGiven = {}): KubeObject =>
  podOf({ name, finalizers: [trackingFinalizer], phase: 'Running', ...given });
const ended = (name: string, phase: 'Succeeded' | 'Failed', second = 0, given: PodGiven = {}): KubeObject =>
  pod(name, {
    phase,
    status: {
      containerStatuses: [
        {
          name: 'c',
          state: {
            terminated: { exitCode: phase === 'Failed' ? 7 : 0, finishedAt: formatTime(after(second)) },
          },
        },
      ],
    },
    ...given,
  });
const free = (each: KubeObject): KubeObject => withMeta(each, { finalizers: [] });

const conditions = ({ status }: JobDecision): readonly string[] =>
  listAt(status, 'conditions').map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}`,
  );

test('as many pods as may run together, never more than are needed', () => {
  expect(decideJob(jobOf(), [], noon).create).toHaveLength(2);
  expect(decideJob(jobOf(), [pod('a')], noon).create).toHaveLength(1);
  expect(decideJob(jobOf({}, { succeeded: 2 }), [], noon).create).toHaveLength(1);
  expect(decideJob(jobOf({ parallelism: 0 }), [pod('a')], noon).remove.map(nameOf)).toEqual(['a']);
});

test('pods carry the finalizer that keeps them until they are counted', () => {
  const [made] = decideJob(jobOf(), [], noon).create;
  expect(metaOf(made ?? {})).toMatchObject({ generateName: 'j-', finalizers: [trackingFinalizer] });
});

test('an ended pod is named first, let go then, and counted last', () => {
  const named = decideJob(jobOf(), [ended('a', 'Succeeded')], noon);
  expect(named.status).toMatchObject({
    uncountedTerminatedPods: { succeeded: ['uid-a'] },
    startTime: formatTime(noon),
  });
  expect(named.status['succeeded']).toBeUndefined();
  expect(named.strip.map(nameOf)).toEqual(['a']);
  const waiting = decideJob({ ...jobOf(), status: named.status }, [ended('a', 'Succeeded')], noon);
  expect(waiting.status).toEqual(named.status);
  const counted = decideJob({ ...jobOf(), status: named.status }, [free(ended('a', 'Succeeded'))], noon);
  expect(counted.status).toMatchObject({ uncountedTerminatedPods: {}, succeeded: 1 });
  const gone = decideJob({ ...jobOf(), status: named.status }, [], noon);
  expect(gone.status).toMatchObject({ uncountedTerminatedPods: {}, succeeded: 1 });
});

test('completion: the criteria first, the end when everything is counted', () => {
  const job = jobOf({ completions: 1 });
  const met = decideJob(job, [ended('a', 'Succeeded')], noon);
  expect(conditions(met)).toEqual(['SuccessCriteriaMet True CompletionsReached']);
  expect(met.create).toEqual([]);
  const over = decideJob({ ...job, status: met.status }, [free(ended('a', 'Succeeded'))], after(5));
  expect(conditions(over)).toEqual([
    'SuccessCriteriaMet True CompletionsReached',
    'Complete True CompletionsReached',
  ]);
  expect(over.status).toMatchObject({ completionTime: formatTime(after(5)), succeeded: 1 });
  expect(over.notes).toEqual([{ type: 'Normal', reason: 'Completed', message: 'Job completed' }]);
  const after1 = decideJob({ ...job, status: over.status }, [free(ended('a', 'Succeeded'))], after(9));
  expect(after1).toMatchObject({ create: [], remove: [], notes: [], status: over.status });
});

test('failures wait longer each time, and the limit ends the job', () => {
  const job = jobOf({ parallelism: 1, completions: 1, backoffLimit: 2 });
  const once = decideJob(job, [ended('a', 'Failed', 0)], after(5));
  expect([once.create, once.wakeAt]).toEqual([[], after(10)]);
  expect(decideJob(job, [ended('a', 'Failed', 0)], after(10)).create).toHaveLength(1);
  const twice = [ended('a', 'Failed', 0), ended('b', 'Failed', 12)];
  expect(decideJob(job, twice, after(20)).wakeAt).toBe(after(32));
  const thrice = decideJob(job, [...twice, ended('c', 'Failed', 40), pod('d')], after(41));
  expect(conditions(thrice)).toEqual(['FailureTarget True BackoffLimitExceeded']);
  expect(thrice.remove.map(nameOf)).toEqual(['d']);
  const over = decideJob(
    { ...job, status: thrice.status },
    [...twice, ended('c', 'Failed', 40)].map(free),
    after(50),
  );
  expect(conditions(over)).toEqual([
    'FailureTarget True BackoffLimitExceeded',
    'Failed True BackoffLimitExceeded',
  ]);
  expect(over.status).toMatchObject({ failed: 3 });
  expect(over.notes).toEqual([
    {
      type: 'Warning',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    },
  ]);
});

test('restarts in place use up the limit too', () => {
  const job = workloadOf('Job', 'j', {
    completions: 1,
    backoffLimit: 2,
    template: { spec: { restartPolicy: 'OnFailure', containers: [] } },
  });
  expect(conditions(decideJob(job, [pod('a', { restarts: 1 })], noon))).toEqual([]);
  expect(conditions(decideJob(job, [pod('a', { restarts: 2 })], noon))).toEqual([
    'FailureTarget True BackoffLimitExceeded',
  ]);
});

test('the deadline counts from the start', () => {
  const job = jobOf({ activeDeadlineSeconds: 30 }, { startTime: formatTime(noon) });
  expect(decideJob(job, [pod('a'), pod('b')], after(10)).wakeAt).toBe(after(30));
  const late = decideJob(job, [pod('a'), pod('b')], after(30));
  expect(conditions(late)).toEqual(['FailureTarget True DeadlineExceeded']);
  expect(late.remove.map(nameOf)).toEqual(['a', 'b']);
});

test('pods that are not wanted any more have not failed; those of a job that failed have', () => {
  const removal = (job: KubeObject, second = 0): readonly [number, boolean] => {
    const { remove, isForgiving } = decideJob(job, [pod('a'), pod('b')], after(second));
    return [remove.length, isForgiving];
  };
  const started = { startTime: formatTime(noon) };
  expect(removal(jobOf({ suspend: true }))).toEqual([2, true]);
  expect(removal(jobOf({ parallelism: 1 }))).toEqual([1, true]);
  expect(removal(jobOf({ activeDeadlineSeconds: 5 }, started), 6)).toEqual([2, false]);
});

test('an index whose pod was not wanted any more has not failed', () => {
  const job = indexed({ backoffLimitPerIndex: 0, completions: 1, parallelism: 1 });
  const going = free(pod('a', { ...at(0), isDeleting: true, phase: 'Failed' }));
  expect(decideJob(job, [going], after(60)).status['failedIndexes']).toBe('');
  const failed = free(ended('a', 'Failed', 0, at(0)));
  expect(decideJob(job, [failed], after(60)).status['failedIndexes']).toBe('0');
});

test('suspended and resumed', () => {
  const suspended = decideJob(jobOf({ suspend: true }, { startTime: formatTime(noon) }), [pod('a')], noon);
  expect(suspended.remove.map(nameOf)).toEqual(['a']);
  expect(suspended.status['startTime']).toBeUndefined();
  expect(conditions(suspended)).toEqual(['Suspended True JobSuspended']);
  const resumed = decideJob(jobOf({}, suspended.status), [], after(60));
  expect(conditions(resumed)).toEqual(['Suspended False JobResumed']);
  expect(resumed.create).toHaveLength(2);
  expect(resumed.status['startTime']).toBe(formatTime(after(60)));
});

test('any success completes a job without a number', () => {
  const { completions: _none, ...spec } = { parallelism: 2, backoffLimit: 6, completions: 0 };
  const job = workloadOf('Job', 'j', spec);
  expect(decideJob(job, [], noon).create).toHaveLength(2);
  const one = decideJob(job, [ended('a', 'Succeeded'), pod('b')], noon);
  expect([one.create, one.remove, conditions(one)]).toEqual([[], [], []]);
  expect(conditions(decideJob(job, [ended('a', 'Succeeded'), ended('b', 'Succeeded')], noon))).toEqual([
    'SuccessCriteriaMet True CompletionsReached',
  ]);
});

const indexed = (spec: JsonObject = {}, status: JsonObject = {}): KubeObject =>
  jobOf({ completionMode: 'Indexed', completions: 4, parallelism: 4, ...spec }, status);
const at = (index: number): PodGiven => ({
  annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
});

test('indexes are filled where they are missing', () => {
  const { create, status } = decideJob(
    indexed({}, { completedIndexes: '2' }),
    [ended('a', 'Succeeded', 0, at(0)), pod('b', at(1))],
    noon,
  );
  expect(create.map(indexOf)).toEqual([3]);
  expect(status).toMatchObject({ completedIndexes: '0,2', succeeded: 2 });
  const [made] = create;
  expect(made).toMatchObject({
    metadata: { generateName: 'j-3-', labels: { 'batch.kubernetes.io/job-completion-index': '3' } },
    spec: { hostname: 'j-3', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] },
  });
});

test('doubles of an index and indexes that are done go', () => {
  const pods = [
    pod('a', at(0)),
    pod('twin', { ...at(0), createdAt: 3 }),
    pod('late', at(1)),
    pod('far', at(9)),
  ];
  expect(decideJob(indexed({}, { completedIndexes: '1' }), pods, noon).remove.map(nameOf)).toEqual([
    'late',
    'far',
    'twin',
  ]);
});

test('an index that failed waits before it is tried again, longer each time, and the others do not', () => {
  const job = indexed({
    backoffLimitPerIndex: 5,
    backoffLimit: 2_147_483_647,
    completions: 2,
    parallelism: 2,
  });
  const failed = ended('a', 'Failed', 60, at(0));
  const early = decideJob(job, [failed], after(65));
  expect([early.create.map(indexOf), early.wakeAt]).toEqual([[1], after(70)]);
  expect(decideJob(job, [failed, pod('b', at(1))], after(70)).create.map(indexOf)).toEqual([0]);
  const third = {
    annotations: { ...at(0).annotations, 'batch.kubernetes.io/job-index-failure-count': '2' },
  };
  const often = decideJob(job, [ended('d', 'Failed', 60, third), pod('b', at(1))], after(65));
  expect([often.create, often.wakeAt]).toEqual([[], after(100)]);
});

test('an index has its own limit, and the others continue', () => {
  const job = indexed({
    backoffLimitPerIndex: 1,
    backoffLimit: 2_147_483_647,
    completions: 2,
    parallelism: 2,
  });
  const retried = decideJob(job, [ended('a', 'Failed', 0, at(0)), pod('b', at(1))], after(60));
  expect(
    retried.create.map((each) => annotationsOf(each)['batch.kubernetes.io/job-index-failure-count']),
  ).toEqual(['1']);
  const failures = {
    annotations: { ...at(0).annotations, 'batch.kubernetes.io/job-index-failure-count': '1' },
  };
  const given = [ended('a', 'Failed', 0, at(0)), ended('c', 'Failed', 9, failures)];
  const failed = decideJob(job, [...given, pod('b', at(1))], after(60));
  expect([failed.create, failed.status['failedIndexes'], conditions(failed)]).toEqual([[], '0', []]);
  const over = decideJob(job, [...given, ended('b', 'Succeeded', 0, at(1))], after(60));
  expect(conditions(over)).toEqual(['FailureTarget True FailedIndexes']);
});

const rule = (action: string): JsonObject => ({ action, onExitCodes: { operator: 'In', values: [7] } });

test('a failure policy ends the job, looks away, or counts', () => {
  const by = (action: string): JobDecision =>
    decideJob(jobOf({ podFailurePolicy: { rules: [rule(action)] } }), [ended('a', 'Failed', -100)], noon);
  expect(listAt(by('FailJob').status, 'conditions')).toMatchObject([
    {
      type: 'FailureTarget',
      reason: 'PodFailurePolicy',
      message: 'Container c for pod default/a failed with exit code 7 matching FailJob rule at index 0',
    },
  ]);
  expect(by('Ignore').status['uncountedTerminatedPods']).toEqual({});
  expect(by('Count').status['uncountedTerminatedPods']).toEqual({ failed: ['uid-a'] });
});

test('a success policy can end a job before all completions', () => {
  const job = indexed({ successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] } });
  const met = decideJob(job, [ended('a', 'Succeeded', 0, at(1)), pod('b', at(2))], noon);
  expect(conditions(met)).toEqual(['SuccessCriteriaMet True SuccessPolicy']);
  expect(met.remove.map(nameOf)).toEqual(['b']);
});

test('a pod on its way out counts as failed, unless only failed ones are replaced', () => {
  const going = pod('a', { isDeleting: true });
  expect(decideJob(jobOf({ parallelism: 1 }), [going], noon)).toMatchObject({
    status: { uncountedTerminatedPods: { failed: ['uid-a'] }, terminating: 1 },
  });
  const patient = decideJob(jobOf({ parallelism: 1, podReplacementPolicy: 'Failed' }), [going], noon);
  expect([patient.create, patient.status['uncountedTerminatedPods']]).toEqual([[], {}]);
});

test('a finished job is deleted after its ttl', () => {
  const done = { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: formatTime(noon) }] };
  const job = jobOf({ ttlSecondsAfterFinished: 100 }, done);
  expect(decideJob(job, [ended('a', 'Succeeded')], after(50))).toMatchObject({
    isExpired: false,
    wakeAt: after(100),
  });
  expect(decideJob(job, [ended('a', 'Succeeded')], after(50)).strip.map(nameOf)).toEqual(['a']);
  expect(decideJob(job, [], after(100)).isExpired).toBe(true);
});

/** A cluster of one job in which pods end in any order, and every write may be the last before a restart. */
class World {
  job: KubeObject;
  pods: KubeObject[] = [];
  now: Instant = noon;
  ended = 0;
  #count = 0;

  constructor(spec: JsonObject) {
    this.job = jobOf(spec);
  }

  pass(stopAfter: number): void {
    const decision = decideJob(this.job, this.pods, this.now);
    const before = conditions({ ...decision, status: objectAt(this.job, 'status') ?? {} });
    for (const each of decision.create) {
      this.#count += 1;
      const name = `p${this.#count}`;
      this.pods.push({
        ...withMeta(each, { name, uid: `uid-${name}`, creationTimestamp: formatTime(this.now) }),
        status: { phase: 'Pending' },
      });
    }
    const lost = new Set(decision.remove);
    this.pods = this.pods.map((each) =>
      lost.has(each) ? withMeta(each, { deletionTimestamp: formatTime(this.now) }) : each,
    );
    if (stopAfter < 1) return;
    this.job = { ...this.job, status: decision.status };
    const isOver = (told: readonly string[]): boolean =>
      told.some((each) => /^(?:Complete|Failed) /.test(each));
    if (!isOver(before) && isOver(conditions(decision))) this.ended += 1;
    if (stopAfter < 2) return;
    const stripped = new Set(decision.strip.map(nameOf));
    this.pods = this.pods.map((each) => (stripped.has(nameOf(each)) ? free(each) : each));
  }

  end(which: number, phase: 'Succeeded' | 'Failed'): void {
    const running = this.pods.filter((each) => !['Succeeded', 'Failed'].includes(factsOf(each).phase));
    const chosen = running[which % running.length];
    this.pods = this.pods.map((each) => (each === chosen ? { ...each, status: { phase } } : each));
  }

  /** Pods on their way out, and without a finalizer, vanish. */
  sweep(): void {
    this.pods = this.pods.filter((each) => !factsOf(each).isDeleting || isTracked(each));
  }

  get active(): number {
    return this.pods.filter(
      (each) => !factsOf(each).isDeleting && !['Succeeded', 'Failed'].includes(factsOf(each).phase),
    ).length;
  }
}

const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('pass' as const), stopAfter: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('end' as const), which: fc.nat(20), ok: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('sweep' as const) }) },
);

test('in every order of events no more run than may, nothing is counted twice, and a job ends once', () => {
  const property = fc.property(
    fc.record({
      parallelism: fc.integer({ min: 1, max: 4 }),
      completions: fc.integer({ min: 1, max: 6 }),
      backoffLimit: fc.nat(3),
      completionMode: fc.constantFrom('Indexed', 'NonIndexed'),
    }),
    fc.array(act, { maxLength: 100 }),
    (spec, acts) => {
      const world = new World(spec);
      for (const each of acts) {
        world.now = instant(world.now + 1_000_000);
        if (each.type === 'pass') world.pass(each.stopAfter);
        if (each.type === 'end') world.end(each.which, each.ok ? 'Succeeded' : 'Failed');
        if (each.type === 'sweep') world.sweep();
        const status = objectAt(world.job, 'status') ?? {};
        expect(world.active).toBeLessThanOrEqual(spec.parallelism);
        expect(numberAt(status, 'succeeded') ?? 0).toBeLessThanOrEqual(spec.completions);
        const failed = world.pods.filter((pod1) => factsOf(pod1).phase === 'Failed').length;
        const going = world.pods.filter((pod1) => factsOf(pod1).isDeleting).length;
        if (acts.every(({ type }) => type !== 'sweep'))
          expect(numberAt(status, 'failed') ?? 0).toBeLessThanOrEqual(failed + going);
        expect(world.ended).toBeLessThanOrEqual(1);
      }
    },
  );
  fc.assert(property, { numRuns: 400 });
});
