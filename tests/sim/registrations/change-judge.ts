import { equalJson, listAt, numberAt, textAt } from '#base/json.ts';
import type { Clock } from '#base/time.ts';
import { nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { ServerChange } from '../sim-server.ts';
import type { CallJudge } from './call-judge.ts';
import { DeclaredHistory, type InstanceVersion, type RegistrationVersion } from './declared-history.ts';
import { knownVersions, type KnownVersions } from './known-versions.ts';
import type { ProcessSight } from './process-sight.ts';

const children = new Set(['apps/deployments', '/services', '/serviceaccounts']);
const kuards = 'extensions.triggermesh.io/kuards';

/**
 * Judges every change of a world with registrations. What a process writes must be what an instance and its
 * registration declare, in versions that the process had not yet seen replaced when it began.
 */
export class ChangeJudge {
  readonly complaints: string[] = [];
  readonly judged = { children: 0, finalizers: 0 };
  readonly history = new DeclaredHistory();
  readonly #clock: Clock;
  readonly #calls: CallJudge;
  /** Children that a process of ours has made. */
  readonly #made = new Set<string>();

  constructor(clock: Clock, calls: CallJudge) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** `actor`: the process of ours that does it; undefined: a user, or Kubernetes. */
  see(change: ServerChange, actor: ProcessSight | undefined): void {
    const { storage, object } = change;
    if (storage === kuards && actor !== undefined) this.#judgeInstance(change, actor);
    this.history.see(change);
    if (!children.has(storage)) return;
    if (actor !== undefined) this.#judgeChild(change, actor);
    else if (this.#made.has(uidOf(object))) this.#noteTouch(change);
    else this.#calls.taken(storage, nameOf(object), change.type !== 'DELETED');
  }

  /** A changed status is no input of the hook. */
  #noteTouch({ type, storage, object, before }: ServerChange): void {
    if (type !== 'DELETED' && before?.['spec'] === object['spec']) return;
    const plural = storage.slice(storage.indexOf('/') + 1);
    const revision = Number(resourceVersionOf(object));
    this.#calls.touched(ownerOf(object), { plural, uid: uidOf(object), revision });
  }

  #judgeChild(change: ServerChange, actor: ProcessSight): void {
    this.judged.children += 1;
    const { type, storage, object } = change;
    if (type === 'ADDED') this.#made.add(uidOf(object));
    const what = `${storage} ${nameOf(object)}`;
    if (!this.#made.has(uidOf(object))) {
      this.#made.add(uidOf(object));
      this.complaints.push(`${what} of somebody else was ${type === 'DELETED' ? 'deleted' : 'overwritten'}`);
      return;
    }
    const known = this.#known(actor, ownerOf(object));
    if (type === 'DELETED') {
      if (known.registrations.every((each) => storage !== '/services' || each.hasService))
        this.complaints.push(`${what} was deleted though it is declared`);
      return;
    }
    const there = known.instances.filter(({ isGoing }) => !isGoing);
    if (there.length === 0) this.complaints.push(`${what} was written for an instance that is gone`);
    else if (!isDeclared(change, there, known.registrations))
      this.complaints.push(`${what} was written as nobody declares it: ${shown(object)}`);
  }

  /** Of an instance only our finalizer and the status are written. */
  #judgeInstance({ type, object, before }: ServerChange, actor: ProcessSight): void {
    const name = nameOf(object);
    if (before === undefined || !equalJson(before['spec'], object['spec']))
      this.complaints.push(`the spec of ${name} was written`);
    const last = this.history.instance(uidOf(object)).at(-1);
    const isHeld =
      type !== 'DELETED' && listAt(object, 'metadata', 'finalizers').some((each) => each === finalizer);
    if (last === undefined || last.isHeld === isHeld) return;
    this.judged.finalizers += 1;
    const { registrations } = this.#known(actor, uidOf(object));
    if (isHeld) {
      if (registrations.every(({ hasHook }) => !hasHook))
        this.complaints.push(`${name} was given a finalizer without a hook`);
      return;
    }
    const isAsked = last.isGoing && this.#calls.hasFinalized(actor, uidOf(object));
    if (registrations.every(({ hasHook }) => hasHook) && !isAsked)
      this.complaints.push(`the finalizer of ${name} was removed before its hook had finalized`);
  }

  #known(actor: ProcessSight, uid: string): KnownVersions {
    return knownVersions(this.history, actor, { uid, now: this.#clock.now() });
  }
}

const finalizer = 'scoby.triggermesh.io/finalizer';

/** Whether one instance and one registration, each as it was at some time, declare this child. */
function isDeclared(
  { storage, object }: ServerChange,
  instances: readonly InstanceVersion[],
  registrations: readonly RegistrationVersion[],
): boolean {
  const isNamed = instances.some(({ name }) => nameOf(object) === `kuard-${name}`);
  if (storage === '/services') return isNamed && registrations.some(({ hasService }) => hasService);
  if (storage !== 'apps/deployments') return false;
  const { image, replicas, value, fromHook } = partsOf(object);
  return registrations.some(
    (registration) =>
      isNamed &&
      image === registration.image &&
      replicas === registration.replicas &&
      instances.some(
        (instance) =>
          value === instance.value &&
          fromHook ===
            (registration.hasHook ? `${instance.generation}.${registration.generation}` : undefined),
      ),
  );
}

/** The parts of a Deployment that are declared, or come from the hook. */
function partsOf(deployment: KubeObject) {
  const container = listAt(deployment, 'spec', 'template', 'spec', 'containers')[0];
  const variable = (name: string): string | undefined =>
    textAt(
      listAt(container, 'env').find((each) => textAt(each, 'name') === name),
      'value',
    );
  return {
    image: textAt(container, 'image'),
    replicas: numberAt(deployment, 'spec', 'replicas'),
    value: variable('VALUE'),
    fromHook: variable('FROM_HOOK'),
  };
}

const shown = (child: KubeObject): string => JSON.stringify(partsOf(child));

const ownerOf = (child: KubeObject): string =>
  textAt(listAt(child, 'metadata', 'ownerReferences')[0], 'uid') ?? '';
