import { at, isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { checkLabelValue, checkQualifiedName, type Complaints } from '#kube/names.ts';
import type { ClusterNode, NodeMarks, Origin } from './model.ts';
import { pointer, problemAt, type SpecProblem } from './problem.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** `labels` and `taints` of a machine entry, in the words of kubectl; undefined: none of either. */
export function marksOf(entry: Json): NodeMarks | undefined {
  const given = objectAt(entry, 'labels') ?? {};
  const labels = Object.keys(given)
    .toSorted()
    .map((key) => `${key}=${textAt(given, key) ?? ''}`);
  const taints = listAt(entry, 'taints').map(taintText);
  return labels.length + taints.length === 0 ? undefined : { labels, taints };
}

/** What `marksOf` relies on: nothing else reaches a command line. */
export const checkMarks = (entry: Json, origin: Origin): readonly SpecProblem[] => [
  ...checkLabels(entry, origin),
  ...checkTaints(entry, origin),
];

/** The step by which TKEStack puts them on, and by which `skipConditions` leaves it out. */
export const markCondition = ({ roles }: Pick<ClusterNode, 'roles'>): MarkCondition =>
  roles.includes('master') ? 'EnsureMarkControlPlane' : 'EnsureMarkNode';

export const markConditions = ['EnsureMarkControlPlane', 'EnsureMarkNode'] as const;
type MarkCondition = (typeof markConditions)[number];

/** The node as it is when its mark is left out. */
export function unmarked(node: ClusterNode): ClusterNode {
  const { marks: _marks, ...rest } = node;
  return rest;
}

function taintText(taint: Json): string {
  const value = textAt(taint, 'value') ?? '';
  return `${taintName(taint)}${value === '' ? '' : `=${value}`}:${textAt(taint, 'effect') ?? ''}`;
}

const taintName = (taint: Json): string => textAt(taint, 'key') ?? '';

function checkLabels(entry: Json, { file, pointer: place }: Origin): readonly SpecProblem[] {
  const labels = at(entry, 'labels') ?? {};
  if (!isObject(labels)) return [problemAt(file, `${place}/labels`, 'must be a map from key to string')];
  return Object.entries(labels).flatMap(([key, value]) => {
    const origin = { file, pointer: place + pointer('labels', key) };
    return [
      ...about(origin, 'the key', checkQualifiedName(key)),
      ...about(origin, 'the value', words(value)),
    ];
  });
}

function checkTaints(entry: Json, { file, pointer: place }: Origin): readonly SpecProblem[] {
  const taints = at(entry, 'taints') ?? [];
  if (!Array.isArray(taints)) return [problemAt(file, `${place}/taints`, 'must be a list of taints')];
  const seen = new Set<string>();
  return (taints as readonly Json[]).flatMap((taint, index) => {
    const under = (key: string): Origin => ({ file, pointer: place + pointer('taints', index, key) });
    const effect = textAt(taint, 'effect') ?? '';
    const same = `${taintName(taint)}:${effect}`;
    const isTwice = seen.has(same);
    seen.add(same);
    return [
      ...about(under('key'), 'the key', checkQualifiedName(taintName(taint))),
      ...about(under('value'), 'the value', words(at(taint, 'value') ?? '')),
      ...(effects.includes(effect)
        ? []
        : [{ origin: under('effect'), message: `unknown effect ${JSON.stringify(effect)}`, valid: effects }]),
      ...(isTwice ? [{ origin: under('key'), message: `the taint ${same} is given twice` }] : []),
    ];
  });
}

const words = (value: Json | undefined): Complaints =>
  typeof value === 'string' ? checkLabelValue(value) : ['must be a string: put it in quotes'];

const about = (origin: Origin, what: string, complaints: Complaints): readonly SpecProblem[] =>
  complaints.map((complaint) => ({ origin, message: `${what} ${complaint}` }));
