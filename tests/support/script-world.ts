import { createHash } from 'node:crypto';
import { devNull } from 'node:os';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { instant, later, millis, minutes, seconds, type Millis } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import { hostFolder } from '#edge/ssh/host-program.ts';
import { machineOver } from '#edge/ssh/machine.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import { sessionShell } from '#edge/ssh/session-shell.ts';
import { nameOf } from '#edge/ssh/target.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import type { ScriptedRun, StartedScript } from '#embedded/machines/machine/machine-parts.ts';
import { createMachine } from '#embedded/machines/machine/simulated-machine.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { folder, factsOf, script } from '#machines/decide/testing/facts.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import { compactSteps } from '#machines/decide/objects/journal.ts';
import { planObject, prepareObject, type ObjectPlan } from '#machines/decide/objects/plan-object.ts';
import { standingOf } from '#machines/decide/objects/standing.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import { clusterOf } from './machine-objects-world.ts';
import { nodeAt } from './sshd/plans.ts';

/** The one machine of the Cluster. */
export const onlyNode = '192.0.2.1';
const text = '#!/bin/sh\necho hook\n';
const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
const scripts = ['PreInstall', 'PostInstall'] as const;

/** The plan that creates a Cluster of one machine with these hooks. */
export function planWith(hooks: JsonObject): ObjectPlan {
  const cluster = clusterOf('harbour', [onlyNode], { files: [{ src: 'hooks', dst: '/tmp/hooks' }], hooks });
  const wanted = { kind: 'cluster.create', nodes: [] } as const;
  const request = { cluster, machines: [], wanted, root: '/objects', force: false };
  const delivered = folder(Object.fromEntries(scripts.map((name) => [name, { ...script(text), digest }])));
  const made = planObject(request, prepareObject(request), factsOf({ '/objects/hooks': delivered }));
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  return made;
}

/** The only part of a plan without gates. */
export function soleSegment({ segments }: ObjectPlan): MachinePlan {
  const [segment] = segments;
  if (segments.length !== 1 || segment?.type !== 'stages') throw new Error('the plan has several parts');
  return segment.plan;
}

export type OperatorRun = {
  readonly plan: MachinePlan;
  readonly whole?: MachinePlan | undefined;
  /** The journal on the disk. */
  readonly journal: JournalRecord[];
  readonly id?: string;
  readonly leave?: AbortSignal;
  readonly cancel?: AbortSignal;
  /** Takes a record; throws when it cannot be written. */
  readonly write?: (record: JournalRecord) => void;
};

/** One machine on virtual time, whose scripts take so long, and operators that come one after the other. */
export function openScriptWorld(span: Millis) {
  const time = virtualTime(instant(Date.UTC(2026, 0, 5, 12)));
  const running = new Set<StartedScript>();
  const started: string[] = [];
  const seen = { most: 0, onStart: (): void => undefined };
  const scripted = (one: StartedScript): ScriptedRun => {
    running.add(one);
    started.push(one.step);
    seen.most = Math.max(seen.most, running.size);
    seen.onStart();
    return { span, ended: () => void running.delete(one) };
  };
  const newDigest = () => {
    const hash = createHash('sha256');
    return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest('hex') };
  };
  const { clock, tasks } = time;
  const machine = createMachine({ hostname: onlyNode, bootId: 'boot-1', clock, tasks, newDigest, scripted });
  for (const name of scripts) machine.files.put(`/tmp/hooks/${name}`, new TextEncoder().encode(text), 0o755);
  const run = (asked: OperatorRun): Promise<RunEnd> => runOperator(time, machine, asked);
  /** Connections keep time going, so an operation that hangs would do so for ever. */
  const inTime = <Value>(work: Promise<Value>): Promise<Value> => {
    const late = clock.sleep(minutes(60), new AbortController().signal).then(() => {
      throw new Error('the operation does not end');
    });
    return time.until(Promise.race([work, late]));
  };
  return {
    started: (): readonly string[] => started,
    /** How many scripts ran at the same time. */
    most: () => seen.most,
    /** Whether the machine has a folder of the operation. */
    keeps: (id: string): boolean =>
      machine.files.entry(`/var/lib/boathook/harbour/${onlyNode}/${id}`) !== undefined,
    /** How many scripts run now. */
    running: () => running.size,
    abortAfter(wait: Millis): AbortSignal {
      const abort = new AbortController();
      clock.after(wait, () => abort.abort(new Error('Ctrl-C')));
      return abort.signal;
    },
    /** Aborts some time after the next start of a script. */
    leaveAfterStart(wait: Millis): AbortSignal {
      const leave = new AbortController();
      seen.onStart = () => void clock.after(wait, () => leave.abort(new Error('the object was changed')));
      return leave.signal;
    },
    run: (asked: OperatorRun): Promise<RunEnd> => inTime(run(asked)),
    /** A run of an operation on a Cluster, as its controller does it; gates pass. */
    carryOut: (plan: ObjectPlan, journal: JournalRecord[], leave?: AbortSignal): Promise<string> =>
      inTime(carryOut(run, plan, journal, leave)),
    async pass(passing: Millis): Promise<void> {
      const end = later(clock.now(), passing);
      while (await time.step(end));
    },
    /** What the next run reads from the status of a Cluster that was edited. */
    edited(journal: readonly JournalRecord[]): JournalRecord[] {
      const steps = [...compactSteps(replay(journal))];
      const operation = { id: 'operation-1', type: 'cluster.create', steps, observedGeneration: 1 };
      return [...standingOf(operation, { generation: 2, isEdited: false }, clock.now()).records];
    },
  };
}

async function carryOut(
  run: (asked: OperatorRun) => Promise<RunEnd>,
  { segments, plan: whole }: ObjectPlan,
  journal: JournalRecord[],
  leave?: AbortSignal,
): Promise<string> {
  for (const segment of segments) {
    if (segment.type !== 'stages') continue;
    if (verdictOf(segment.plan, replay(journal)).state === 'Succeeded') continue;
    const end = await run({ plan: segment.plan, whole, journal, ...(leave !== undefined && { leave }) });
    if (end.type !== 'ended') return end.type;
    if (end.verdict.state !== 'Succeeded') return end.verdict.state;
  }
  return 'complete';
}

function runOperator(
  { clock }: ReturnType<typeof virtualTime>,
  machine: ReturnType<typeof createMachine>,
  asked: OperatorRun,
): Promise<RunEnd> {
  const { plan, whole, journal, id = 'operation-1', leave, cancel, write = () => undefined } = asked;
  const place = { stateDir: '/var/lib/boathook', cluster: 'harbour', operation: id, grace: seconds(10) };
  const machines: Machines = {
    async reach(target, name) {
      await clock.sleep(millis(300), new AbortController().signal);
      const shell = sessionShell(nameOf(target), (session) => machine.serve(session));
      return {
        type: 'reached',
        machine: machineOver(shell, { ...place, node: name, host: hostFolder }, clock),
      };
    },
    local: () => {
      throw new Error('the plan has nothing to do here');
    },
    close: () => undefined,
  };
  const node = nodeAt(onlyNode, { address: onlyNode, port: 22, key: '/none' });
  return runPlan(
    {
      id,
      plan,
      whole,
      nodes: new Map([[onlyNode, node]]),
      records: [...journal],
      holder: 'controller 1 now cluster.create',
      leaseTouch: seconds(10),
      leaseStale: seconds(30),
      patience: seconds(20),
      ...(leave !== undefined && { leave }),
    },
    {
      clock,
      random: seededRandom(journal.length),
      machines,
      secret: () => Promise.resolve(new Secret('x')),
      append: (record) =>
        new Promise((resolve) => {
          write(record);
          journal.push(record);
          resolve();
        }),
      emit: () => undefined,
      source: () => Promise.reject(new Error('the plan sends no script')),
      artifacts: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      logFile: () => devNull,
    },
    cancel ?? new AbortController().signal,
  );
}
