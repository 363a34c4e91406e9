import { hasSucceeded } from '#machines/decide/progress.ts';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { DeclaredCluster, OperationKind } from '#machines/decide/model.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { ownRecord } from './own-record.ts';

/** Nodes that joined by flags, and nodes of the file that were deleted since. */
export type Members = {
  readonly added: readonly AddedNode[];
  readonly removed: readonly string[];
};

export type AddedNode = {
  readonly ip: string;
  readonly name?: string;
  readonly port?: number;
  readonly arch?: string;
  readonly roles: readonly string[];
};

const none: Members = { added: [], removed: [] };
const pathOf = (folder: string): string => join(folder, 'members.json');

export function readMembers(folder: string): Members {
  if (!existsSync(pathOf(folder))) return none;
  const path = pathOf(folder);
  const json = ownRecord(path, () => JSON.parse(readFileSync(path, 'utf8')) as Json);
  return {
    added: listAt(json, 'added').flatMap((each) => {
      const ip = textAt(each, 'ip');
      if (ip === undefined) return [];
      const [name, arch, port] = [textAt(each, 'name'), textAt(each, 'arch'), numberAt(each, 'port')];
      const roles = listAt(each, 'roles').filter((role) => typeof role === 'string');
      return [{ ip, roles, ...(name && { name }), ...(arch && { arch }), ...(port && { port }) }];
    }),
    removed: listAt(json, 'removed').filter((each) => typeof each === 'string'),
  };
}

export function writeMembers(folder: string, members: Members): void {
  if (members.added.length + members.removed.length === 0) {
    rmSync(pathOf(folder), { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomically(pathOf(folder), `${JSON.stringify(members, null, 2)}\n`, 0o600);
}

const lists = { master: 'masters', worker: 'workers' } as const;

/** An eggo document with more nodes in its lists; those it has already are left alone. */
export function withNodes(document: Json, nodes: readonly AddedNode[]): Json {
  if (!isObject(document)) return document;
  let whole: JsonObject = document;
  for (const { roles, ...entry } of nodes)
    for (const role of ['master', 'worker'] as const) {
      const list = listAt(whole, lists[role]);
      if (!roles.includes(role) || list.some((each) => textAt(each, 'ip') === entry.ip)) continue;
      whole = { ...whole, [lists[role]]: [...list, entry] };
    }
  return whole;
}

/** The nodes of another eggo file that lists some. */
export const nodesListed = (document: Json): readonly AddedNode[] =>
  (['master', 'worker'] as const).flatMap((role) =>
    listAt(document, lists[role]).flatMap((each) => {
      const ip = textAt(each, 'ip');
      return ip === undefined || !isObject(each) ? [] : [{ ...each, ip, roles: [role] }];
    }),
  );

/** The members of the cluster after an operation. */
export function membersAfter(
  members: Members,
  { operation, nodes, added, declaration }: MemberChange,
  { state, isolated, failures }: Pick<OperationVerdict, 'state' | 'isolated' | 'failures'>,
): Members {
  if (!hasSucceeded(state)) return members;
  if (operation === 'cluster.create' || operation === 'bootstrap' || operation === 'cluster.delete')
    return none;
  const fine = nodes.filter(
    (node) => !isolated.has(node) && !failures.some((failure) => failure.node === node),
  );
  const addressOf = (name: string): string =>
    declaration.cluster.nodes.find((node) => node.name === name)?.address ?? name;
  const addresses = new Set(fine.map(addressOf));
  if (operation === 'node.join') {
    const joined = added.filter(({ ip }) => addresses.has(ip));
    const others = members.added.filter(({ ip }) => !joined.some((node) => node.ip === ip));
    return { added: [...others, ...joined], removed: members.removed.filter((name) => !fine.includes(name)) };
  }
  if (operation !== 'node.delete') return members;
  const kept = members.added.filter(({ ip }) => !addresses.has(ip));
  const fromFile = fine.filter((name) => !members.added.some(({ ip }) => ip === addressOf(name)));
  return { added: kept, removed: [...new Set([...members.removed, ...fromFile])] };
}

type MemberChange = {
  readonly operation: OperationKind;
  readonly nodes: readonly string[];
  readonly added: readonly AddedNode[];
  readonly declaration: { readonly cluster: Pick<DeclaredCluster, 'nodes'> };
};
