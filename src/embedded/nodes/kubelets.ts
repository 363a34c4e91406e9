import { listAt, objectAt, textAt } from '#base/json.ts';
import { millis, type Instant } from '#base/time.ts';
import { annotationsOf, objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { Newest } from '#loop/owned/newest.ts';
import type { NodesDeps } from './api/deps.ts';
import { PodLogStore } from './logs/pod-logs.ts';
import { hotPatches, isActive, type NodeRegistry, type SimulatedNode } from './node/node-registry.ts';
import { statusLists } from './pod/container-status.ts';
import type { PodEvent } from './pod/container-context.ts';
import { syncPod } from './pod/sync-pod.ts';
import { isRejected, isUndecided, rejectedStatus, rejectionOf, type Rejection } from './pod/admission.ts';
import { kubeletPod, type KubeletPod } from './pod/kubelet-pod.ts';
import type { LifecycleHookCall, SimState, PodSyncResult } from './pod/sync-result.ts';
import type { Recorders } from './api/recorders.ts';
import { isConflict, WriteRefused } from './api/refusal.ts';
import { pods as podResource, podsOn } from './api/resources.ts';
import { candidateOf } from './scheduler/candidate.ts';
import { NodeLoads } from './scheduler/node-loads.ts';
import { tuningProblems, tuningTexts, type TuningTexts } from './tuning/annotations.ts';

export type KubeletOptions = {
  /** Simulation settings for a pod from rules, with the keys of its annotations. */
  readonly rules: (pod: KubeObject, now: Instant) => TuningTexts;
  /** Called for every lifecycle hook that a container runs. */
  readonly onHook: (pod: KubeObject, run: LifecycleHookCall) => void;
};

const fieldManager = 'kubelet';
const nothingYet: SimState = {};
/** A limit on memory: more images than any node has. */
const mostImages = 5000;

/** The kubelets of all simulated nodes of this process. */
export class Kubelets {
  readonly logs = new PodLogStore();
  readonly controller: Controller;
  readonly #deps: NodesDeps;
  readonly #registry: NodeRegistry;
  readonly #recorders: Recorders;
  readonly #options: KubeletOptions;
  readonly #states = new Map<string, SimState>();
  readonly #newest = new Newest();
  /** The pods that a node has admitted. */
  readonly #admitted = new NodeLoads();

  constructor(deps: NodesDeps, registry: NodeRegistry, recorders: Recorders, options: KubeletOptions) {
    this.#deps = deps;
    this.#registry = registry;
    this.#recorders = recorders;
    this.#options = options;
    const { clock, random, tasks, report } = deps;
    this.controller = runController({
      name: 'kubelets',
      clock,
      random,
      ...(tasks && { tasks }),
      ...(report && { report }),
      queue: { parallel: 64, isExpected: isConflict },
      sources: [{ informer: deps.pods, keysOf: (delta) => this.#changed(delta) }],
      reconcile: (key, signal) => this.#syncKey(key, signal),
    });
  }

  /** Queues all pods of a node: the node is up again, or rules have changed. */
  lookAt(node: string): void {
    const simulated = this.#registry.get(node);
    for (const pod of podsOn(this.#deps.pods, node)) {
      if (simulated !== undefined) learnAddress(simulated, pod);
      this.controller.add(keyOf(pod));
    }
  }

  #changed({ type, object }: Delta): readonly string[] {
    const node = this.#registry.of(object);
    if (node === undefined) return [];
    if (type === 'deleted') {
      this.#forget(node, uidOf(object));
      this.#admitted.forget(object);
      return [];
    }
    if (!isUndecided(object)) this.#admitted.note(object);
    learnAddress(node, object);
    return [keyOf(object)];
  }

  #forget(node: SimulatedNode, uid: string): void {
    this.#states.delete(uid);
    this.#newest.forget(uid);
    this.logs.forget(uid);
    node.addresses.free(uid);
  }

  async #syncKey(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const shown = this.#deps.pods.get(namespace, name);
    if (shown === undefined) return settled;
    const pod = this.#newest.of(shown);
    const node = this.#registry.of(pod);
    if (node === undefined || !isActive(node)) return settled;
    const now = this.#deps.clock.now();
    const view = kubeletPod(pod);
    const rejection = isUndecided(pod) ? this.#admit(pod, node) : undefined;
    if (rejection !== undefined) return this.#reject(view, node, rejection, signal);
    if (isRejected(view.status)) return this.#clear(view, signal);
    const result = this.#sync(view, node, now);
    const written = result.status === undefined ? pod : await this.#write(pod, result.status, signal);
    if (written === undefined) return settled;
    this.#commit(view, node, result, now);
    if (result.remove) await this.#remove(pod, signal);
    if (result.wakeAt === undefined) return settled;
    return wake(millis(Math.max(0, result.wakeAt - this.#deps.clock.now())));
  }

  #sync(view: KubeletPod, node: SimulatedNode, now: Instant): PodSyncResult {
    const { pod } = view;
    return syncPod({
      view,
      state: this.#states.get(view.uid) ?? nothingYet,
      settings: this.#deps.settings,
      rules: this.#options.rules(pod, now),
      host: {
        hostIp: node.hostIp,
        podIp: this.#registry.addressOf(node, pod),
        hasImage: (image) => node.images.has(image),
        hotPatches: hotPatches(this.#deps.nodes.get('', node.name)),
      },
      now,
    });
  }

  #admit(pod: KubeObject, node: SimulatedNode): Rejection | undefined {
    const shown = this.#deps.nodes.get('', node.name);
    if (shown === undefined || this.#admitted.has(pod)) return undefined;
    const rejection = rejectionOf(pod, candidateOf(shown), this.#admitted.loads.get(node.name));
    // Counted before the write, so that pods admitted meanwhile count it.
    if (rejection === undefined) this.#admitted.assign(pod, node.name);
    return rejection;
  }

  async #reject(
    { pod }: KubeletPod,
    node: SimulatedNode,
    rejection: Rejection,
    signal: AbortSignal,
  ): Promise<Next> {
    const status = rejectedStatus(pod, rejection, this.#deps.clock.now());
    if ((await this.#write(pod, status, signal)) !== undefined)
      this.#recorders.record('kubelet', node.name, pod, { type: 'Warning', ...rejection });
    return settled;
  }

  /** A pod that was never admitted has no containers to stop. */
  async #clear({ pod, deletion }: KubeletPod, signal: AbortSignal): Promise<Next> {
    if (deletion !== undefined && deletion.graceSeconds > 0) await this.#remove(pod, signal);
    return settled;
  }

  /** Undefined when the pod is gone. */
  async #write(
    pod: KubeObject,
    status: NonNullable<PodSyncResult['status']>,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const outcome = await this.#deps.client.updateStatus(podResource, { ...pod, status }, signal, {
      fieldManager,
    });
    if (outcome.type === 'not-found') return undefined;
    if (outcome.type !== 'ok') {
      this.#newest.forget(uidOf(pod));
      throw new WriteRefused(`the status of pod ${keyOf(pod)}`, outcome);
    }
    this.#newest.note(outcome.object);
    return outcome.object;
  }

  /** The containers have stopped: the pod is deleted, unless another finalizer keeps it. */
  async #remove(pod: KubeObject, signal: AbortSignal): Promise<void> {
    const outcome = await this.#deps.client.remove(podResource, objectKeyOf(pod), signal, {
      gracePeriodSeconds: 0,
      preconditions: { uid: uidOf(pod) },
    });
    if (['ok', 'not-found', 'conflict'].includes(outcome.type)) return;
    if (outcome.type !== 'ok') throw new WriteRefused(`the removal of pod ${keyOf(pod)}`, outcome);
  }

  /** The status is written: stores the memory, records events, writes logs. */
  #commit(view: KubeletPod, node: SimulatedNode, result: PodSyncResult, now: Instant): void {
    const { uid, pod } = view;
    if (!this.#states.has(uid)) this.#warn(view, node);
    this.#states.set(uid, result.state);
    for (const entry of result.logs) this.logs.write(uid, entry, now);
    for (const event of result.events) this.#record(view, node, event);
    for (const run of result.hooks) this.#options.onHook(pod, run);
    if (node.images.size >= mostImages) node.images.clear();
    for (const status of statusLists.flatMap((list) => listAt(result.status, list)))
      if (objectAt(status, 'state', 'running') !== undefined) node.images.add(textAt(status, 'image') ?? '');
  }

  #record({ pod, containers }: KubeletPod, node: SimulatedNode, event: PodEvent): void {
    if (event.routine && !this.#deps.settings.profile.routineEvents) return;
    const { type, reason, message, container } = event;
    const kind = containers.find(({ name }) => name === container)?.kind;
    const fieldPath = kind === undefined ? undefined : `spec.${listNames[kind]}{${container ?? ''}}`;
    this.#recorders.record('kubelet', node.name, pod, { type, reason, message, fieldPath });
  }

  #warn({ pod, containers }: KubeletPod, node: SimulatedNode): void {
    const texts = tuningTexts(annotationsOf(pod));
    const names = containers.map(({ name }) => name);
    for (const { key, message } of tuningProblems(texts, names)) {
      const telling = {
        type: 'Warning',
        reason: 'InvalidSimulation',
        message: `${key}: ${message}`,
      } as const;
      this.#recorders.record('kubelet', node.name, pod, telling);
    }
  }
}

function learnAddress(node: SimulatedNode, pod: KubeObject): void {
  const ip = textAt(pod, 'status', 'podIP');
  if (ip !== undefined) node.addresses.learn(uidOf(pod), ip);
}

const listNames = {
  init: 'initContainers',
  sidecar: 'initContainers',
  ordinary: 'containers',
  ephemeral: 'ephemeralContainers',
} as const;
