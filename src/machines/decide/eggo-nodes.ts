import { at, isArray, isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { checkSubdomain } from '#kube/names.ts';
import type { ClusterNode, Jump, NodeLogin, LoginMethod, Origin, NodeRole } from './model.ts';
import { checkAddress, portOf } from './node-fields.ts';
import { pointer, problemAt, type SpecProblem } from './problem.ts';
import { roles as allRoles } from './roles.ts';

/** Settings of the operator's machine: the default key, and whether the SSH agent is used. */
export type EggoLogin = { readonly agent: boolean; readonly defaultKey?: string; readonly home: string };

type Listed = { readonly entry: Json; readonly role: NodeRole; readonly origin: Origin };

const lists: readonly (readonly [string, NodeRole])[] = [
  ['masters', 'master'],
  ['workers', 'worker'],
  ['etcds', 'etcd'],
];

/** Every entry of every list; without `etcds` the masters hold etcd. */
function listedIn(document: Json, file: string): readonly Listed[] {
  const listed = lists.flatMap(([key, role]) =>
    listAt(document, key).map((entry, index) => ({
      entry,
      role,
      origin: { file, pointer: pointer(key, index) },
    })),
  );
  const etcd = listed.some(({ role }) => role === 'etcd')
    ? []
    : listed.filter(({ role }) => role === 'master').map((each) => ({ ...each, role: 'etcd' as const }));
  const balancer = objectAt(document, 'loadbalance');
  const fronts: readonly Listed[] =
    balancer === undefined || textAt(balancer, 'ip') === undefined
      ? []
      : [{ entry: balancer, role: 'loadbalance', origin: { file, pointer: '/loadbalance' } }];
  return [...listed, ...etcd, ...fronts];
}

/** One node per address, with all its roles. */
export function eggoNodes(document: Json, file: string, options: EggoLogin): readonly ClusterNode[] {
  const byAddress = new Map<string, ClusterNode>();
  for (const { entry, role, origin } of listedIn(document, file)) {
    const address = textAt(entry, 'ip') ?? '';
    const before = byAddress.get(address);
    const merged = allRoles.filter((each) => each === role || before?.roles.includes(each) === true);
    byAddress.set(address, { ...(before ?? nodeOf(entry, origin, { document, options })), roles: merged });
  }
  return [...byAddress.values()];
}

export function checkEggoNodes(document: Json, file: string, options: EggoLogin): readonly SpecProblem[] {
  const problems: SpecProblem[] = [...checkShapes(document, file)];
  if (listAt(document, 'masters').length === 0)
    problems.push(problemAt(file, '/masters', 'at least one master is required'));
  if (loginOf(document, file, options).methods.length === 0)
    problems.push(problemAt(file, '/password', 'password or private-key-path is required (or --ssh-agent)'));
  const listed = listedIn(document, file);
  const unique = listed.filter(
    ({ origin }, index) => listed.findIndex((other) => other.origin.pointer === origin.pointer) === index,
  );
  return [
    ...problems,
    ...unique.flatMap(({ entry, origin }) => [
      ...checkAddress(entry, origin, 'host-key'),
      ...checkName(entry, origin),
    ]),
    ...conflicts(unique),
  ];
}

/** Without these checks, values of another shape would be ignored. */
function checkShapes(document: Json, file: string): readonly SpecProblem[] {
  const isGiven = (key: string): boolean => (at(document, key) ?? null) !== null;
  const wrong = (key: string, message: string): SpecProblem => problemAt(file, `/${key}`, message);
  const noLists = lists
    .map(([key]) => key)
    .filter((key) => isGiven(key) && !isArray(at(document, key)))
    .map((key) => wrong(key, 'must be a list of nodes, each with its ip'));
  const noTexts = texts
    .filter((key) => isGiven(key) && typeof at(document, key) !== 'string')
    .map((key) => wrong(key, 'must be a string: put it in quotes'));
  const noMaps = ['loadbalance', 'jump-host']
    .filter((key) => isGiven(key) && !isObject(at(document, key)))
    .map((key) => wrong(key, 'must be a map with at least an ip'));
  return [...noLists, ...noTexts, ...noMaps, ...checkBalancer(document, file), ...checkJump(document, file)];
}

const texts = ['username', 'password', 'private-key-path'];

/** An empty value counts as absent, as in eggo's templates. */
function checkBalancer(document: Json, file: string): readonly SpecProblem[] {
  const balancer = objectAt(document, 'loadbalance') ?? {};
  const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === '';
  if (Object.values(balancer).every((value) => isEmpty(value) || value === 0)) return [];
  return ['ip', 'bind-port']
    .filter((key) => isEmpty(balancer[key]))
    .map((key) => problemAt(file, `/loadbalance/${key}`, `${key} is required`));
}

function checkJump(document: Json, file: string): readonly SpecProblem[] {
  const jump = objectAt(document, 'jump-host');
  return jump === undefined ? [] : checkAddress(jump, { file, pointer: '/jump-host' }, 'host-key');
}

function checkName(entry: Json, { file, pointer }: Origin): readonly SpecProblem[] {
  const name = textAt(entry, 'name');
  if (name === undefined || checkSubdomain(name).length === 0) return [];
  return [
    problemAt(
      file,
      `${pointer}/name`,
      `"${name}" is not a host name: lower-case letters, digits, hyphens and dots`,
    ),
  ];
}

/** The same address in two lists is one node: all other fields must be equal, and a name has one address. */
function conflicts(listed: readonly Listed[]): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  listed.forEach(({ entry, role, origin }, index) => {
    for (const other of listed.slice(0, index)) {
      const same = (key: string, usual: Json): boolean =>
        ((isObject(entry) && entry[key]) ?? usual) === ((isObject(other.entry) && other.entry[key]) ?? usual);
      const where = other.origin.pointer;
      if (textAt(entry, 'ip') !== undefined && same('ip', '')) {
        if (role === other.role) problems.push({ origin, message: `the same address as ${where}` });
        else if (!same('name', '') || !same('port', 22) || !same('arch', 'amd64'))
          problems.push({
            origin,
            message: `the same address as ${where}, but another name, port or arch`,
          });
      } else if (textAt(entry, 'name') !== undefined && same('name', ''))
        problems.push({ origin, message: `the same name as ${where}` });
    }
  });
  return problems;
}

function nodeOf(
  entry: Json,
  origin: Origin,
  { document, options }: { readonly document: Json; readonly options: EggoLogin },
): ClusterNode {
  const address = textAt(entry, 'ip') ?? '';
  const [arch, hostKey] = [textAt(entry, 'arch'), textAt(entry, 'host-key')];
  const jump = jumpOf(document, origin.file, options);
  return {
    name: textAt(entry, 'name') ?? address,
    address,
    port: portOf(entry),
    roles: [],
    login: loginOf(document, origin.file, options),
    ...(jump !== undefined && { jump }),
    ...(hostKey !== undefined && { hostKey }),
    ...(arch !== undefined && { arch }),
    origin,
  };
}

function jumpOf(document: Json, file: string, options: EggoLogin): Jump | undefined {
  const entry = objectAt(document, 'jump-host');
  if (entry === undefined) return undefined;
  const hostKey = textAt(entry, 'host-key');
  return {
    address: textAt(entry, 'ip') ?? '',
    port: portOf(entry),
    login: loginOf(entry, file, options, '/jump-host'),
    ...(hostKey !== undefined && { hostKey }),
  };
}

/** One login for all nodes, in plain text as eggo has it. */
function loginOf(entry: Json, file: string, options: EggoLogin, prefix = ''): NodeLogin {
  const user = textAt(entry, 'username') ?? 'root';
  const methods: LoginMethod[] = [];
  if (options.agent) methods.push({ type: 'agent' });
  const named = textAt(entry, 'private-key-path');
  const password = (textAt(entry, 'password') ?? '') !== '';
  const key = named ?? (password ? undefined : options.defaultKey);
  if (key !== undefined)
    methods.push({
      type: 'privateKey',
      key: { type: 'file', path: key.startsWith('~/') ? options.home + key.slice(1) : key },
    });
  if (password)
    methods.push({
      type: 'password',
      password: { type: 'document', file, pointer: `${prefix}/password`, encoding: 'plain' },
    });
  return { user, methods, sudo: user !== 'root' };
}
