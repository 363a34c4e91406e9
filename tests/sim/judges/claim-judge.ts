import { listAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isDeleting, nameOf, namespaceOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { ServerChange } from '../sim-server.ts';

type ClaimUse = {
  readonly key: string;
  readonly users: ReadonlySet<string>;
  /** The resourceVersion up to which the controller had received claims when it decided. */
  readonly received: number;
};

/**
 * Claims of GameStatefulSets: only users delete them, no two pods use one, each is that of its pod's name, and no pod
 * is made for a claim that is going.
 */
export class ClaimJudge {
  readonly complaints: string[] = [];
  readonly judged = { claimedPods: 0, keptClaims: 0 };
  /** Namespace and name of claims that users have deleted. */
  readonly #given = new Set<string>();
  /** Names of pods by the claim that they use. */
  readonly #users = new Map<string, Set<string>>();
  /** Claims that are going, since when and with which resourceVersion; the controller may not have seen it yet. */
  readonly #going = new Map<string, { readonly since: Instant; readonly version: number; isSeen: boolean }>();

  /** A user deletes a claim. */
  give(namespace: string, name: string): void {
    this.#given.add(`${namespace}/${name}`);
  }

  /** The controller has seen everything up to this time. */
  calm(until: Instant): void {
    for (const mark of this.#going.values()) if (mark.since <= until) mark.isSeen = true;
  }

  see(change: ServerChange, now: Instant): void {
    const { type, storage, object } = change;
    if (storage === '/persistentvolumeclaims') this.#seeClaim(type, object, now);
    else if (storage === '/pods') this.#seePod(change);
  }

  #seeClaim(type: ServerChange['type'], claim: KubeObject, now: Instant): void {
    const key = `${namespaceOf(claim)}/${nameOf(claim)}`;
    if (listAt(claim, 'metadata', 'ownerReferences').length > 0)
      this.complaints.push(`PersistentVolumeClaim ${key} has an owner, so it goes with it`);
    const isGoing = type === 'DELETED' || isDeleting(claim);
    if (isGoing && !this.#given.has(key))
      this.complaints.push(`PersistentVolumeClaim ${key} was deleted, and no user did that`);
    if (type === 'ADDED') this.judged.keptClaims += 1;
    if (type === 'DELETED') {
      this.#going.delete(key);
      this.#given.delete(key);
    } else if (isGoing && !this.#going.has(key))
      this.#going.set(key, { since: now, version: Number(resourceVersionOf(claim)), isSeen: false });
  }

  #seePod({ type, object: pod, before, received = () => 0 }: ServerChange): void {
    if (type === 'MODIFIED' && before !== undefined) return;
    for (const claim of claimsOf(pod)) {
      const key = `${namespaceOf(pod)}/${claim}`;
      const users = this.#users.get(key) ?? new Set<string>();
      this.#users.set(key, users);
      if (type === 'DELETED') users.delete(nameOf(pod));
      else {
        users.add(nameOf(pod));
        this.#judgeNew(pod, { key, users, received: received('persistentvolumeclaims') });
      }
    }
  }

  #judgeNew(pod: KubeObject, { key, users, received }: ClaimUse): void {
    this.judged.claimedPods += 1;
    if (users.size > 1) this.complaints.push(`Pods ${[...users].join(' and ')} use one claim, ${key}`);
    if (!key.endsWith(`-${nameOf(pod)}`))
      this.complaints.push(`Pod ${namespaceOf(pod)}/${nameOf(pod)} uses the claim ${key} of another pod`);
    const going = this.#going.get(key);
    if (going !== undefined && (going.isSeen || going.version <= received))
      this.complaints.push(`Pod ${namespaceOf(pod)}/${nameOf(pod)} is made though its claim ${key} is going`);
  }
}

export const claimsOf = (pod: KubeObject): readonly string[] =>
  listAt(pod, 'spec', 'volumes').flatMap((each) => textAt(each, 'persistentVolumeClaim', 'claimName') ?? []);
