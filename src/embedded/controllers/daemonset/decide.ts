import { numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import { normal, warning, type Note } from '#loop/note.ts';
import { factsOf, isAvailable, nextAvailable } from '#kube/workload/pod-facts.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { daemonPod, daemonSpec, hashLabel, targetNode } from './daemon-pod.ts';
import { nodeFit } from './node-fit.ts';
import { DaemonPlan, type Daemon, type NodeView, type WantedDaemons } from './plan.ts';
import { rollingUpdate } from './rolling-update.ts';
import { daemonStatus } from './status.ts';

export type DaemonSetSnapshot = {
  readonly set: KubeObject;
  readonly nodes: readonly KubeObject[];
  /** The pods it controls. */
  readonly pods: readonly KubeObject[];
  /** The hash of the current template's revision. */
  readonly hash: string;
};

export type DaemonDecision = {
  readonly create: readonly KubeObject[];
  readonly remove: readonly KubeObject[];
  readonly notes: readonly Note[];
  readonly status: JsonObject;
  readonly wakeAt: Instant | undefined;
};

/** At most this many pods are created or deleted per pass. */
const burst = 250;

export function decideDaemonSet(snapshot: DaemonSetSnapshot, now: Instant): DaemonDecision {
  const { set, pods } = snapshot;
  const spec = daemonSpec(set);
  const views = viewsOf(snapshot, spec);
  const wishes = wishesOf(set, views.filter(({ fit }) => fit.shouldRun).length);
  const plan = new DaemonPlan();
  if (!isDeleting(set)) {
    for (const view of views) manageNode(view, wishes, plan, now);
    dropStrays(snapshot, plan);
    if (plan.isEmpty() && isRolling(set)) rollingUpdate(views, wishes, plan, now);
  }
  return {
    create: plan.nodes.slice(0, burst).map((node) => daemonPod(set, spec, snapshot.hash, node)),
    remove: plan.remove.slice(0, burst),
    notes: plan.notes,
    status: daemonStatus(set, views, wishes, now),
    wakeAt: nextAvailable(pods.map(factsOf), wishes.minReadySeconds, now),
  };
}

const isRolling = (set: KubeObject): boolean => textAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';

function wishesOf(set: KubeObject, desired: number): WantedDaemons {
  const rolling = objectAt(set, 'spec', 'updateStrategy', 'rollingUpdate');
  const maxSurge = isRolling(set) ? scaledValue(rolling?.['maxSurge'], desired, 'up') : 0;
  const unavailable = scaledValue(rolling?.['maxUnavailable'] ?? 1, desired, 'up');
  return {
    set,
    minReadySeconds: numberAt(set, 'spec', 'minReadySeconds') ?? 0,
    maxSurge,
    // Neither a surge nor an unavailable pod: the rollout could never progress.
    maxUnavailable: maxSurge === 0 && unavailable === 0 ? 1 : unavailable,
  };
}

function viewsOf({ set, nodes, pods, hash }: DaemonSetSnapshot, spec: JsonObject): readonly NodeView[] {
  const byNode = new Map<string, Daemon[]>();
  for (const pod of pods) {
    const facts = factsOf(pod);
    const daemon = { pod, facts, isNew: facts.labels[hashLabel] === hash };
    const node = targetNode(pod);
    const known = byNode.get(node);
    if (known === undefined) byNode.set(node, [daemon]);
    else known.push(daemon);
  }
  const fits = objectAt(set, 'spec', 'template', 'spec') === undefined ? [] : nodes;
  return fits.map((node) => ({
    node: nameOf(node),
    fit: nodeFit(spec, node),
    daemons: (byNode.get(nameOf(node)) ?? []).sort(oldestFirst),
  }));
}

const oldestFirst = (left: Daemon, right: Daemon): number =>
  Number(right.facts.node !== '') - Number(left.facts.node !== '') ||
  left.facts.created - right.facts.created ||
  (left.facts.name < right.facts.name ? -1 : 1);

function manageNode(view: NodeView, wishes: WantedDaemons, plan: DaemonPlan, now: Instant): void {
  const { fit, daemons, node } = view;
  if (daemons.length === 0) {
    if (fit.shouldRun) plan.nodes.push(node);
    return;
  }
  if (!fit.mayStay) {
    for (const daemon of daemons) plan.drop(daemon);
    return;
  }
  const running: Daemon[] = [];
  for (const daemon of daemons) {
    if (daemon.facts.isDeleting) continue;
    const end = endNote(daemon, wishes.set, node);
    if (end === undefined) running.push(daemon);
    else plan.drop(daemon, end);
  }
  dropDoubles(running, wishes, plan, now);
  // With a surge the successor does not wait until the last pod of a node is gone.
  if (running.length === 0 && wishes.maxSurge > 0 && fit.shouldRun) plan.nodes.push(node);
}

/** The event about a daemon pod that failed. */
function endNote({ facts }: Daemon, set: KubeObject, node: string): Note | undefined {
  const pod = `daemon pod ${namespaceOf(set)}/${facts.name} on node ${node}`;
  if (facts.phase === 'Failed') {
    return warning('FailedDaemonPod', `Found failed ${pod}, will try to kill it`);
  }
  if (facts.phase === 'Succeeded') {
    return normal('SucceededDaemonPod', `Found succeeded ${pod}, will try to delete it`);
  }
  return undefined;
}

/** One pod per node; with a surge one old that serves and one new, until the new one is available. */
function dropDoubles(
  running: readonly Daemon[],
  wishes: WantedDaemons,
  plan: DaemonPlan,
  now: Instant,
): void {
  if (wishes.maxSurge === 0) {
    for (const daemon of running.slice(1)) plan.drop(daemon);
    return;
  }
  const [newest, ...moreNew] = running.filter(({ isNew }) => isNew);
  const [oldest, ...moreOld] = running.filter(({ isNew }) => !isNew);
  for (const daemon of [...moreNew, ...moreOld]) plan.drop(daemon);
  if (oldest === undefined || newest === undefined) return;
  if (!oldest.facts.isReady || isAvailable(newest.facts, wishes.minReadySeconds, now)) plan.drop(oldest);
}

/** Pods meant for nodes that are gone; the ones that were bound there are the garbage collector's. */
function dropStrays({ nodes, pods }: DaemonSetSnapshot, plan: DaemonPlan): void {
  const names = new Set(nodes.map(nameOf));
  for (const pod of pods) {
    const facts = factsOf(pod);
    if (facts.node === '' && !names.has(targetNode(pod))) plan.drop({ pod, facts, isNew: false });
  }
}
