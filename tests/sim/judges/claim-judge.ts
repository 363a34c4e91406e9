import { listAt, textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { ServerChange } from '../sim-server.ts';

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
  /** Claims that are going, and since when; the controller may not have seen it yet. */
  readonly #going = new Map<string, { readonly since: Instant; isSeen: boolean }>();

  /** A user deletes a claim. */
  give(namespace: string, name: string): void {
    this.#given.add(`${namespace}/${name}`);
  }

  /** The controller has seen everything up to this time. */
  calm(until: Instant): void {
    for (const mark of this.#going.values()) if (mark.since <= until) mark.isSeen = true;
  }

  see({ type, storage, object, before }: ServerChange, now: Instant): void {
    if (storage === '/persistentvolumeclaims') this.#seeClaim(type, object, now);
    else if (storage === '/pods') this.#seePod(type, object, before);
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
    } else if (isGoing && !this.#going.has(key)) this.#going.set(key, { since: now, isSeen: false });
  }

  #seePod(type: ServerChange['type'], pod: KubeObject, before: KubeObject | undefined): void {
    if (type === 'MODIFIED' && before !== undefined) return;
    for (const claim of claimsOf(pod)) {
      const key = `${namespaceOf(pod)}/${claim}`;
      const users = this.#users.get(key) ?? new Set<string>();
      this.#users.set(key, users);
      if (type === 'DELETED') users.delete(nameOf(pod));
      else this.#judgeNew(pod, key, users);
    }
  }

  #judgeNew(pod: KubeObject, key: string, users: Set<string>): void {
    this.judged.claimedPods += 1;
    users.add(nameOf(pod));
    if (users.size > 1) this.complaints.push(`Pods ${[...users].join(' and ')} use one claim, ${key}`);
    if (!key.endsWith(`-${nameOf(pod)}`))
      this.complaints.push(`Pod ${namespaceOf(pod)}/${nameOf(pod)} uses the claim ${key} of another pod`);
    if (this.#going.get(key)?.isSeen === true)
      this.complaints.push(`Pod ${namespaceOf(pod)}/${nameOf(pod)} is made though its claim ${key} is going`);
  }
}

export const claimsOf = (pod: KubeObject): readonly string[] =>
  listAt(pod, 'spec', 'volumes').flatMap((each) => textAt(each, 'persistentVolumeClaim', 'claimName') ?? []);
