import { equalJson } from '#base/json.ts';
import type { AppliedChild, ReconcileStep } from '#registrations/decide/cycle.ts';
import { fieldManager } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import {
  apiVersionOf,
  isDeleting,
  kindOf,
  nameOf,
  namespaceOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { withServiceAccountFields } from './service-account-fields.ts';
import { isAlreadyApplied } from './already-applied.ts';
import { childResource } from './resources.ts';

export type ApplyStep = Extract<ReconcileStep, { readonly type: 'apply' }>;

export type ApplyDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'remove'>;
  /** Records the response to a write, and returns the child as it is kept. */
  readonly recordWrite: (child: KubeObject) => KubeObject;
};

export type ApplyOutcome = {
  readonly applied: readonly AppliedChild[];
  /** The children after the step. */
  readonly live: readonly KubeObject[];
  readonly pruned: readonly KubeObject[];
};

/** Existing objects with the names of children that are to be created: of another owner, or not in our cache yet. */
export async function existingChildren(
  { client }: ApplyDeps,
  { children }: ApplyStep,
  live: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const missing = children.filter(({ object }) => !live.some((each) => isSameObject(each, object)));
  const found = await Promise.all(
    missing.map(async ({ object }) => {
      const outcome = await client.get(childResource(object), keyOf(object), signal);
      if (outcome.type === 'ok') return [outcome.object];
      if (outcome.type === 'not-found') return [];
      throw new Refused(outcome);
    }),
  );
  return found.flat();
}

/** Applies the children that differ and deletes those to prune. One rejected child does not stop the others. */
export async function applyChildren(
  deps: ApplyDeps,
  wanted: ApplyStep,
  live: readonly KubeObject[],
  signal: AbortSignal,
): Promise<ApplyOutcome> {
  const known = (object: KubeObject): KubeObject | undefined =>
    live.find((each) => isSameObject(each, object));
  const children = wanted.children.map(({ key, object }) => ({
    key,
    object: withServiceAccountFields(object, known(object)),
  }));
  const step = { ...wanted, children };
  const isDone = (object: KubeObject): boolean => {
    const there = known(object);
    // A child that is being deleted is created again when it is gone.
    return there !== undefined && (isDeleting(there) || isAlreadyApplied(object, there));
  };
  const different = step.children.filter(({ object }) => !isDone(object));
  // All but one are applied as a dry run. The last one is written first: if it is rejected, nothing has changed.
  const last = step.tryFirst ? (different.find(({ key }) => key === 'service') ?? different[0]) : undefined;
  const tried = step.tryFirst ? different.filter((each) => each !== last) : [];
  const refused = await tryAll(deps, tried, signal);
  if (refused.length > 0) return { applied: refused, live, pruned: [] };
  const write = async ({ key, object }: Child): Promise<AppliedChild> => {
    const there = known(object);
    if (there !== undefined && isDone(object)) return { key, result: { type: 'applied', object: there } };
    const outcome = await apply(deps, object, { dryRun: false }, signal);
    return outcome.type === 'ok'
      ? { key, result: { type: 'applied', object: deps.recordWrite(outcome.object) } }
      : { key, result: { type: 'refused', message: outcome.message, isTry: false } };
  };
  const firstWrite = last === undefined ? undefined : await write(last);
  if (firstWrite?.result.type === 'refused')
    return {
      applied: [{ ...firstWrite, result: { ...firstWrite.result, isTry: true } }],
      live,
      pruned: [],
    };
  // Pods need their ServiceAccount.
  const rest = step.children.filter((each) => each !== last);
  const first = await Promise.all(rest.filter(({ key }) => key === 'serviceAccount').map(write));
  const others = await Promise.all(rest.filter(({ key }) => key !== 'serviceAccount').map(write));
  const applied = [...(firstWrite === undefined ? [] : [firstWrite]), ...first, ...others];
  for (const child of step.prune) await removeObject(deps.client, childResource(child), child, signal);
  return { applied, live: leftOver(step, applied, live), pruned: step.prune };
}

type Child = ApplyStep['children'][number];

async function tryAll(
  deps: ApplyDeps,
  children: readonly Child[],
  signal: AbortSignal,
): Promise<readonly AppliedChild[]> {
  const outcomes = await Promise.all(
    children.map(({ object }) => apply(deps, object, { dryRun: true }, signal)),
  );
  return children.flatMap(({ key }, i) => {
    const outcome = outcomes[i];
    if (outcome === undefined || outcome.type === 'ok') return [];
    return [{ key, result: { type: 'refused', message: outcome.message, isTry: true } }];
  });
}

const apply = (
  { client }: ApplyDeps,
  object: KubeObject,
  { dryRun }: { readonly dryRun: boolean },
  signal: AbortSignal,
): Promise<Outcome> =>
  client.patch(
    childResource(object),
    keyOf(object),
    { type: 'apply', body: object, force: true, fieldManager, dryRun },
    signal,
  );

function leftOver(
  { prune }: ApplyStep,
  applied: readonly AppliedChild[],
  live: readonly KubeObject[],
): readonly KubeObject[] {
  const written = applied.flatMap(({ result }) => (result.type === 'applied' ? [result.object] : []));
  const gone = new Set(prune.map(uidOf));
  const others = live.filter(
    (each) => !gone.has(uidOf(each)) && !written.some((object) => isSameObject(each, object)),
  );
  return [...written, ...others];
}

const keyOf = (object: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
});

const isSameObject = (left: KubeObject, right: KubeObject): boolean =>
  equalJson(identityOf(left), identityOf(right));
const identityOf = (object: KubeObject): readonly string[] => [
  apiVersionOf(object),
  kindOf(object),
  namespaceOf(object),
  nameOf(object),
];
