import { hashText } from '#base/hash.ts';
import { at, objectAt } from '#base/json.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { readAmounts, type Amounts } from './amounts.ts';
import { readTaint, taintsOf, type Taint } from './taints.ts';

/** A node as the scheduler sees it. */
export type Candidate = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly isCordoned: boolean;
  readonly allocatable: Amounts;
  /** Breaks ties between equals. */
  readonly lot: number;
};

const read = new WeakMap<KubeObject, Candidate>();

export function candidateOf(node: KubeObject): Candidate {
  const known = read.get(node);
  if (known !== undefined) return known;
  const candidate = {
    name: nameOf(node),
    labels: labelsOf(node),
    taints: taintsOf(node).map(readTaint),
    isCordoned: at(node, 'spec', 'unschedulable') === true,
    allocatable: readAmounts(objectAt(node, 'status', 'allocatable')),
    lot: lotOf(nameOf(node)),
  };
  read.set(node, candidate);
  return candidate;
}

export const lotOf = (text: string): number => Number.parseInt(hashText(text).slice(8), 16);
