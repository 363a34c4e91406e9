import { equalJson, type JsonObject } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { apiVersionOf, kindOf, objectKeyOf, type KubeObject } from '#kube/object.ts';
import { Refused } from '#loop/owned/write.ts';
import type { ReconcileStep } from '#registrations/decide/cycle.ts';
import { childResource } from './resources.ts';

export type ApplyStep = Extract<ReconcileStep, { readonly type: 'apply' }>;

export type ApplyDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'remove'>;
  /** Records the response to a write, and returns the child as it is kept. */
  readonly recordWrite: (child: KubeObject) => KubeObject;
};

/** Existing objects with the names of children that are to be created: of another owner, or not in our cache yet. */
export function existingChildren(
  deps: ApplyDeps,
  { children }: ApplyStep,
  live: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const missing = children.filter(({ object }) => !live.some((each) => isSameObject(each, object)));
  return lookUp(
    deps,
    missing.map(({ object }) => object),
    signal,
  );
}

/** The existing objects with the names of these. */
export async function lookUp(
  { client }: ApplyDeps,
  named: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const found = await Promise.all(
    named.map(async (object) => {
      const outcome = await client.get(childResource(object), objectKeyOf(object), signal);
      if (outcome.type === 'ok') return [outcome.object];
      if (outcome.type === 'not-found') return [];
      throw new Refused(outcome);
    }),
  );
  return found.flat();
}

export const isSameObject = (left: KubeObject, right: KubeObject): boolean =>
  equalJson(identityOf(left), identityOf(right));

const identityOf = (object: KubeObject): JsonObject => ({
  apiVersion: apiVersionOf(object),
  kind: kindOf(object),
  ...objectKeyOf(object),
});
