import type { AppliedChild } from '#registrations/decide/cycle.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { removeObject } from '#loop/owned/write.ts';
import { isDeleting, uidOf, type KubeObject } from '#kube/object.ts';
import { isSameObject, type ApplyDeps, type ApplyStep } from './existing-children.ts';
import { withServiceAccountFields } from './service-account-fields.ts';
import { isAlreadyApplied } from './already-applied.ts';
import { applyChild, isMistaken, type ChildWrite } from './apply-child.ts';
import { childResource } from './resources.ts';

export type ApplyOutcome = {
  readonly applied: readonly AppliedChild[];
  /** The children after the step. */
  readonly live: readonly KubeObject[];
  readonly pruned: readonly KubeObject[];
  /** Children that were refused because other objects have their names than were known. */
  readonly mistaken: readonly KubeObject[];
};

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
  const mistaken: KubeObject[] = [];
  const apply = applying((write) => applyChild(deps, write, signal), known, mistaken);
  const different = step.children.filter(({ object }) => !isDone(object));
  // All but one are applied as a dry run. The last one is written first: if it is rejected, nothing has changed.
  const last = step.tryFirst ? (different.find(({ key }) => key === 'service') ?? different[0]) : undefined;
  const tried = step.tryFirst ? different.filter((each) => each !== last) : [];
  const refused = await tryAll(apply, tried);
  if (refused.length > 0) return { applied: refused, live, pruned: [], mistaken };
  const write = async ({ key, object }: Child): Promise<AppliedChild> => {
    const there = known(object);
    if (there !== undefined && isDone(object)) return { key, result: { type: 'applied', object: there } };
    const outcome = await apply(object, { dryRun: false });
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
      mistaken,
    };
  // Pods need their ServiceAccount.
  const rest = step.children.filter((each) => each !== last);
  const first = await Promise.all(rest.filter(({ key }) => key === 'serviceAccount').map(write));
  const others = await Promise.all(rest.filter(({ key }) => key !== 'serviceAccount').map(write));
  const applied = [...(firstWrite === undefined ? [] : [firstWrite]), ...first, ...others];
  for (const child of step.prune) await removeObject(deps.client, childResource(child), child, signal);
  return { applied, live: leftOver(step, applied, live), pruned: step.prune, mistaken };
}

type Child = ApplyStep['children'][number];
type Apply = (object: KubeObject, how: { readonly dryRun: boolean }) => Promise<Outcome>;

/** Applies a child to the object that is known, and notes those that are refused because it was another one. */
const applying =
  (
    send: (write: ChildWrite) => Promise<Outcome>,
    known: (object: KubeObject) => KubeObject | undefined,
    mistaken: KubeObject[],
  ): Apply =>
  async (object, { dryRun }) => {
    const outcome = await send({ object, there: known(object), dryRun });
    if (isMistaken(outcome)) mistaken.push(object);
    return outcome;
  };

async function tryAll(apply: Apply, children: readonly Child[]): Promise<readonly AppliedChild[]> {
  const outcomes = await Promise.all(children.map(({ object }) => apply(object, { dryRun: true })));
  return children.flatMap(({ key }, i) => {
    const outcome = outcomes[i];
    if (outcome === undefined || outcome.type === 'ok') return [];
    return [{ key, result: { type: 'refused', message: outcome.message, isTry: true } }];
  });
}

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
