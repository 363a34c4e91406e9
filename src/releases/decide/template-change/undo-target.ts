import { numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { isSameTemplate } from '#releases/decide/same-template.ts';

export type UndoTarget =
  | {
      readonly type: 'found';
      readonly number: number;
      /** The name of the ControllerRevision. */
      readonly revision: string;
      readonly template: JsonObject;
    }
  /** The template is that of the revision already. */
  | { readonly type: 'same'; readonly number: number }
  /** No revision has this number. */
  | { readonly type: 'unknown'; readonly known: readonly number[] }
  /** There is no other revision. */
  | { readonly type: 'none' };

/**
 * The revision that the template is set back to: the one with the number; else the stable one during a release; else
 * the newest one with another template.
 */
export function undoTarget(
  workload: KubeObject,
  revisions: readonly KubeObject[],
  wanted: number | undefined,
): UndoTarget {
  const newestFirst = revisions.toSorted((left, right) => numberOf(right) - numberOf(left));
  const present = objectAt(workload, 'spec', 'template') ?? {};
  const stable = textAt(workload, 'status', 'canary', 'revision');
  if (wanted !== undefined) {
    const found = newestFirst.find((each) => numberOf(each) === wanted);
    if (found === undefined) return { type: 'unknown', known: newestFirst.map(numberOf).toReversed() };
    return isSameTemplate(templateOf(found), present) ? { type: 'same', number: wanted } : targetAt(found);
  }
  const others = newestFirst.filter((each) => !isSameTemplate(templateOf(each), present));
  const target = others.find((each) => nameOf(each) === stable) ?? others[0];
  return target === undefined ? { type: 'none' } : targetAt(target);
}

const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;

const targetAt = (revision: KubeObject): UndoTarget => ({
  type: 'found',
  number: numberOf(revision),
  revision: nameOf(revision),
  template: templateOf(revision),
});
