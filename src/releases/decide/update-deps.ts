import { labelsOf } from '#kube/object.ts';
import { disruptionCheck } from './disruption-budgets.ts';
import type { Release } from './release.ts';
import type { UpdateDeps } from './update-pod.ts';
import { hotPatchNodeLabel } from './words.ts';

/** What it takes to bring pods of a release to its target revision. */
export function updateDepsOf({ spec, hooks, findings, revisions, target, sight }: Release): UpdateDeps {
  return {
    ...spec,
    hooks,
    findings,
    canHotPatch: (name) => {
      const node = sight.node(name);
      return node !== undefined && labelsOf(node)[hotPatchNodeLabel] === 'true';
    },
    mayDisrupt: disruptionCheck(sight.budgets),
    revisionNamed: (name) => revisions.get(name),
    target,
    now: sight.now,
  };
}
