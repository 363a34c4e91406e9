import { at, equalJson, listAt, objectAt } from '#base/json.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { hashNumber } from '#embedded/nodes/tuning/draw.ts';
import { readAmounts, type Amounts } from './amounts.ts';
import { readTaint, taintsOf, type Taint } from '#embedded/nodes/node/taints.ts';

/** A node as the scheduler sees it. */
export type Candidate = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly isCordoned: boolean;
  readonly allocatable: Amounts;
  /** Breaks ties between equals. */
  readonly tieBreaker: number;
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
    tieBreaker: hashNumber(nameOf(node)),
  };
  read.set(node, candidate);
  return candidate;
}

/** Whether two versions of a node are equal for scheduling. */
export function isSameCandidate(left: KubeObject, right: KubeObject): boolean {
  return (
    at(left, 'spec', 'unschedulable') === at(right, 'spec', 'unschedulable') &&
    at(left, 'metadata', 'deletionTimestamp') === at(right, 'metadata', 'deletionTimestamp') &&
    equalJson(listAt(left, 'spec', 'taints'), listAt(right, 'spec', 'taints')) &&
    equalJson(objectAt(left, 'metadata', 'labels'), objectAt(right, 'metadata', 'labels')) &&
    equalJson(objectAt(left, 'status', 'allocatable'), objectAt(right, 'status', 'allocatable'))
  );
}
