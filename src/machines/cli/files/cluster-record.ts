import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listAt, textAt, type Json } from '#base/json.ts';
import type { ClusterRecord, RecordedNode } from '#machines/decide/admission.ts';
import type { DeclaredCluster, OperationKind } from '#machines/decide/model.ts';
import { nodesOf } from '#machines/decide/plan.ts';
import { hasSucceeded, replay } from '#machines/decide/progress.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { operationIn, operationIds, readPlan } from './folders.ts';
import { ownRecord } from './own-record.ts';

const pathOf = (folder: string): string => join(folder, 'cluster.json');

/** The cluster in this data directory: complete once an operation has completed it. */
export function readClusterRecord(folder: string): ClusterRecord | undefined {
  const path = pathOf(folder);
  if (!existsSync(path)) return earlierRecord(folder);
  const json = ownRecord(path, () => JSON.parse(readFileSync(path, 'utf8')) as Json);
  const version = textAt(json, 'version');
  return {
    nodes: listAt(json, 'nodes').flatMap((each): readonly RecordedNode[] => {
      const [name, address] = [textAt(each, 'name'), textAt(each, 'address')];
      return name === undefined ? [] : [{ name, ...(address !== undefined && { address }) }];
    }),
    ...(version !== undefined && { version }),
  };
}

/** Earlier versions kept only the operations themselves. */
function earlierRecord(folder: string): ClusterRecord | undefined {
  for (const id of operationIds(folder).toReversed()) {
    const { records, folder: operation } = operationIn(folder, id);
    const { closed } = replay(records);
    if (!hasSucceeded(closed)) continue;
    const plan = readPlan(operation);
    if (plan.operation === 'cluster.delete') return undefined;
    if (plan.operation === 'cluster.create' || plan.operation === 'bootstrap')
      return { nodes: nodesOf(plan).map((name) => ({ name })) };
  }
  return undefined;
}

type Change = {
  readonly operation: OperationKind;
  readonly nodes: readonly string[];
  readonly declaration: { readonly cluster: Pick<DeclaredCluster, 'nodes' | 'version'> };
};

/** The record after an operation; undefined: the cluster no longer exists. */
export function recordAfter(
  before: ClusterRecord | undefined,
  change: Change,
  { state, isolated, failures }: Pick<OperationVerdict, 'state' | 'isolated' | 'failures'>,
): ClusterRecord | undefined {
  if (!hasSucceeded(state)) return before;
  const { operation, declaration } = change;
  const isFine = (name: string): boolean =>
    !isolated.has(name) && !failures.some((failure) => failure.node === name);
  const { nodes, version } = declaration.cluster;
  const now: ClusterRecord = {
    ...(version !== undefined && { version }),
    nodes: nodes.filter(({ name }) => isFine(name)).map(({ name, address }) => ({ name, address })),
  };
  if (operation === 'cluster.create' || operation === 'bootstrap') return now;
  if (operation === 'cluster.delete' || before === undefined) return undefined;
  return changed(before, now, change, isFine);
}

/** An existing cluster after nodes were added or removed, or its version changed. */
function changed(
  before: ClusterRecord,
  now: ClusterRecord,
  { operation, nodes }: Change,
  isFine: (name: string) => boolean,
): ClusterRecord {
  const isMeant = ({ name }: RecordedNode): boolean => nodes.includes(name) && isFine(name);
  const others = before.nodes.filter((node) => !isMeant(node));
  if (operation === 'node.join') return { ...before, nodes: [...others, ...now.nodes.filter(isMeant)] };
  if (operation === 'node.delete') return { ...before, nodes: others };
  return operation === 'cluster.upgrade' ? { ...now, nodes: before.nodes } : before;
}

export function writeClusterRecord(folder: string, record: ClusterRecord | undefined): void {
  if (record === undefined) return rmSync(pathOf(folder), { force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomically(pathOf(folder), `${JSON.stringify(record, null, 2)}\n`, 0o600);
}
