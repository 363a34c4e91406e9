import { isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { isDeleting, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { statusLists } from '#embedded/nodes/pod/container-status.ts';

const edges: Readonly<Record<string, readonly string[]>> = {
  Pending: ['Pending', 'Running', 'Succeeded', 'Failed'],
  Running: ['Running', 'Succeeded', 'Failed'],
  Succeeded: ['Succeeded'],
  Failed: ['Failed'],
};

/** The same for all writes of a store, and runs that were shown under two ids. */
export function historyViolations(commits: readonly string[]): readonly string[] {
  const last = new Map<string, KubeObject>();
  const runs = new Map<string, string>();
  const broken: string[] = [];
  for (const change of commits.flatMap((each) => parseJson(each) as readonly JsonObject[])) {
    const after = objectAt(change, 'after', 'object');
    if (change['resource'] !== '/pods' || after === undefined) continue;
    const before = last.get(uidOf(after));
    if (before !== undefined) broken.push(...violations(before, after));
    last.set(uidOf(after), after);
    for (const status of statusesOf(after)) {
      const id = textAt(status, 'containerID');
      const run = `${uidOf(after)}/${textAt(status, 'name')}#${numberAt(status, 'restartCount')}`;
      if (id !== undefined && (runs.get(run) ?? id) !== id)
        broken.push(`${nameOf(after)}: ${run} is two runs`);
      if (id !== undefined) runs.set(run, id);
    }
  }
  return broken;
}

/** What no kubelet would ever show after what it showed before, in sentences. */
function violations(before: KubeObject, after: KubeObject): readonly string[] {
  const [from, to] = [before, after].map((pod) => textAt(pod, 'status', 'phase') ?? 'Pending');
  return [
    ...(edges[from ?? '']?.includes(to ?? '') === true ? [] : [`phase ${from} -> ${to}`]),
    ...(isDeleting(before) && !isDeleting(after) ? ['a deletion was taken back'] : []),
    ...conditionsOf(after).flatMap((each) => timeViolations(conditionsOf(before), each)),
    ...readyViolations(after),
    ...statusesOf(after).flatMap((each) => runViolations(statusesOf(before), each)),
  ].map((sentence) => `${nameOf(after)}: ${sentence}`);
}

const conditionsOf = (pod: KubeObject): readonly JsonObject[] =>
  listAt(pod, 'status', 'conditions').filter(isObject);
const statusesOf = (pod: KubeObject): readonly JsonObject[] =>
  statusLists.flatMap((list) => listAt(pod, 'status', list)).filter(isObject);

function timeViolations(before: readonly JsonObject[], now: JsonObject): readonly string[] {
  const old = before.find((each) => each['type'] === now['type']);
  if (old === undefined) return [];
  const [was, is] = [old, now].map((each) => textAt(each, 'lastTransitionTime') ?? '');
  const type = textAt(now, 'type');
  if ((is ?? '') < (was ?? '')) return [`the time of ${type} goes back`];
  return old['status'] === now['status'] && is !== was ? [`the time of ${type} moves without a reason`] : [];
}

function readyViolations(pod: KubeObject): readonly string[] {
  const isTrue = (type: string): boolean =>
    conditionsOf(pod).some((each) => each['type'] === type && each['status'] === 'True');
  if (!isTrue('Ready')) return [];
  const gates = listAt(pod, 'spec', 'readinessGates').map((each) => textAt(each, 'conditionType') ?? '');
  return ['ContainersReady', ...gates].filter((type) => !isTrue(type)).map((type) => `ready without ${type}`);
}

/** A new id is a new run, and a new run of one that has run before is one restart: no more, no less. */
function runViolations(before: readonly JsonObject[], now: JsonObject): readonly string[] {
  const old = before.find((each) => each['name'] === now['name']);
  if (old === undefined) return [];
  const [was, is] = [old, now].map((each) => numberAt(each, 'restartCount') ?? 0);
  const [oldId, id] = [textAt(old, 'containerID'), textAt(now, 'containerID')];
  const expected = (was ?? 0) + (oldId !== undefined && oldId !== id ? 1 : 0);
  const isRunning = objectAt(now, 'state', 'running') !== undefined;
  return [
    ...(is === expected ? [] : [`${textAt(now, 'name')} has ${is} restarts after ${was}`]),
    ...(isRunning && id === undefined ? [`${textAt(now, 'name')} runs without an id`] : []),
  ];
}
