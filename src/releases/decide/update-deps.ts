import { labelsOf } from '#kube/object.ts';
import { disruptionCheck } from './disruption-budgets.ts';
import type { Release } from './release.ts';
import type { UpdateDeps } from './update-pod.ts';
import { hotPatchNodeLabel } from './well-known.ts';

/** What it takes to bring pods of a release to its target revision. */
export function updateDepsOf({ spec, hooks, draft, revisions, target, snapshot }: Release): UpdateDeps {
  return {
    ...spec,
    hooks,
    draft,
    canHotPatch: (name) => {
      const node = snapshot.node(name);
      return node !== undefined && labelsOf(node)[hotPatchNodeLabel] === 'true';
    },
    mayDisrupt: disruptionCheck(snapshot.budgets),
    revisionNamed: (name) => revisions.get(name),
    target,
    now: snapshot.now,
  };
}
