import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { textAt, type Json } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { bindBootstrap, bootstrapPaths } from '#machines/decide/bootstrap-hooks.ts';
import {
  checkCommands,
  commandPaths,
  commandsInstaller,
  noInstaller,
} from '#machines/decide/commands-installer.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import {
  compileEggo,
  eggoDeepSources,
  eggoPrivateFiles,
  eggoSources,
  isEggo,
} from '#machines/decide/eggo.ts';
import { bindFlags, flagPath } from '#machines/decide/hook-flags.ts';
import type { Installer } from '#machines/decide/installer.ts';
import { checkItems } from '#machines/decide/item-sources.ts';
import { checkKubeadm, kubeadmInstaller } from '#machines/decide/kubeadm/installer.ts';
import type { Binding, DeclaredCluster, Facts, FolderFact, OperationKind } from '#machines/decide/model.ts';
import type { Documents } from '#machines/decide/documents.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import { problemText, type SpecProblem } from '#machines/decide/problem.ts';
import { usualRetries, withRetries } from '#machines/decide/retries.ts';
import { checkScripts, scriptFolders } from '#machines/decide/script-sources.ts';
import { compileTkestack, tkestackDeepSources, tkestackSources } from '#machines/decide/tkestack.ts';
import { isTkestack } from '#machines/decide/read-cluster.ts';
import { checkKeys } from './check-keys.ts';
import { chooseNodes, joinedByFlags } from './choose-nodes.ts';
import { nodesListed, withNodes, type AddedNode, type Members } from './members.ts';
import { hookFlags, type OperationRequest } from './options.ts';
import { readDocuments } from './read-documents.ts';
import { lookAtFolders } from './script-folders.ts';
import { lookAtSources, sha256 } from './sources.ts';
import { operationOf } from './verbs.ts';

export type PreparedOperation = {
  readonly operation: OperationKind;
  readonly declaration: Declaration;
  readonly plan: MachinePlan;
  /** Nodes that the file does not list, to be remembered when they have joined. */
  readonly added: readonly AddedNode[];
  readonly nodes: readonly string[];
};

/** The name of the cluster in the files. */
export const clusterIdOf = (request: OperationRequest): string => {
  const [main] = readAll(request);
  const [document = null] = main?.documents ?? [];
  if (isEggo(document)) return textAt(document, 'cluster-id') ?? 'k8s-cluster';
  const facts = { sources: new Map() };
  return compileTkestack(readAll(request), facts, { agent: true, force: false }).cluster.id;
};

/** `keys: false`: nobody logs in, so private keys need not be there. */
export type PrepareChecks = { readonly keys: boolean };

/** Makes a plan from files and flags. Invalid input ends the command with exit code 2 before a machine is changed. */
export async function prepare(
  request: OperationRequest,
  members: Members,
  checks: PrepareChecks = { keys: true },
): Promise<PreparedOperation> {
  const operation = operationOf(request.verb, request.nodes);
  const format = formatOf(request, members);
  const looked = await factsFor(request, format);
  const declared = format.compile(looked);
  const flags = bindFlags(hookFlags(request), {
    folder: request.folder,
    operation,
    ...(request.timeout !== undefined && { timeout: request.timeout }),
  });
  const bootstrap = request.verb === 'bootstrap' ? bindBootstrap(hooksDirOf(request), request.timeout) : [];
  const bindings = [...bootstrap, ...flags.bindings, ...declared.bindings];
  const facts = { ...looked, folders: await foldersFor(request, bindings, { looked, format }) };
  const chosen = chooseNodes(request, operation, declared.cluster, { ...members, listed: format.listed });
  const problems: SpecProblem[] = [
    ...declared.problems,
    ...flags.problems,
    ...checkScripts(bindings, facts),
    ...checkItems(bindings, declared.cluster, facts),
    ...(request.installer === 'commands' ? checkCommands(commandsDirOf(request), facts) : []),
    ...(request.installer === 'kubeadm' ? checkKubeadm(operation, declared.cluster) : []),
    ...(checks.keys ? checkKeys(declared.cluster) : []),
    ...chosen.problems,
  ];
  if (problems.length > 0) throw new ExitError(2, problems.map(problemText).join('\nboathook: '));
  const declaration = {
    ...declared,
    cluster: accepting(chosen.cluster, request.accepts),
    bindings,
    notes: [...declared.notes, ...flags.notes, ...chosen.notes],
  };
  const { parallel, force } = request;
  const installer = installerFor(request, facts);
  const { nodes } = chosen;
  const undo = request.undo === undefined ? {} : { undo: request.undo };
  const asked = { operation, declaration, facts, nodes, installer, parallel, force };
  const plan = withRetries(planOperation({ ...asked, ...undo }), request.retries ?? usualRetries);
  return { operation, declaration, plan, added: format.added, nodes };
}

const accepting = (cluster: DeclaredCluster, accepts: readonly string[]): DeclaredCluster =>
  accepts.length === 0 ? cluster : { ...cluster, accepts: [...(cluster.accepts ?? []), ...accepts] };

type Format = {
  readonly sources: readonly string[];
  readonly deep: readonly string[];
  readonly compile: (facts: Facts) => Declaration;
  readonly added: readonly AddedNode[];
  /** Files that are never copied to machines. */
  readonly secret: readonly string[];
  /** Addresses in further files: the nodes of a `join` without names. */
  readonly listed: readonly string[];
};

const readAll = ({ files }: OperationRequest): readonly Documents[] => files.map(readDocuments);

function formatOf(request: OperationRequest, members: Members): Format {
  const files = readAll(request);
  const [main] = files;
  const [document = null] = main?.documents ?? [];
  if (main !== undefined && isEggo(document)) return eggoFormat(request, files, members);
  if (main === undefined || !isTkestack(document))
    throw new ExitError(
      2,
      `${main?.file ?? ''}: /apiVersion: neither an object of platform.tkestack.io/v1 nor an eggo file (cluster-id, masters, …)`,
    );
  return {
    sources: tkestackSources(files),
    deep: tkestackDeepSources(files),
    compile: (facts) =>
      compileTkestack(files, facts, {
        agent: request.agent,
        force: request.force,
        ...(request.timeout !== undefined && { timeout: request.timeout }),
      }),
    added: [],
    secret: [],
    listed: [],
  };
}

function eggoFormat(
  request: OperationRequest,
  [main, ...further]: readonly Documents[],
  members: Members,
): Format {
  const [first = null] = main?.documents ?? [];
  const file = main?.file ?? '';
  const listed = further.flatMap(({ documents }) => documents.flatMap(nodesListed));
  const added = [...joinedByFlags(request, first), ...listed];
  // A deployment uses the nodes of the file; later operations also those that joined since.
  const known = request.verb === 'deploy' || request.verb === 'bootstrap' ? [] : members.added;
  const document: Json = withNodes(first, [...known, ...added]);
  const usual = join(homedir(), '.ssh', 'id_rsa');
  return {
    sources: eggoSources(document, file),
    deep: eggoDeepSources(document, file),
    secret: eggoPrivateFiles(document, file, homedir()),
    compile: () =>
      compileEggo(document, file, {
        agent: request.agent,
        home: homedir(),
        ...(existsSync(usual) && { defaultKey: usual }),
      }),
    added,
    listed: listed.map(({ ip }) => ip),
  };
}

async function factsFor(request: OperationRequest, format: Format): Promise<Facts> {
  const paths = [
    ...format.sources,
    ...hookFlags(request).map(({ value }) => flagPath(value, request.folder)),
    ...(request.verb === 'bootstrap' ? bootstrapPaths(hooksDirOf(request)) : []),
    ...(request.installer === 'commands' ? commandPaths(commandsDirOf(request)) : []),
  ];
  return { sources: await lookAtSources(paths, new Set(format.deep)), nodes: new Map(), sha256 };
}

/** The folders of scripts, which are copied with them; the files of the cluster are not. */
const foldersFor = (
  { files, dataDir }: OperationRequest,
  bindings: readonly Binding[],
  { looked, format }: { readonly looked: Facts; readonly format: Format },
): Promise<ReadonlyMap<string, FolderFact>> =>
  lookAtFolders(scriptFolders(bindings, looked), {
    home: homedir(),
    secret: [...files, ...format.secret, ...(dataDir === undefined ? [] : [dataDir])],
  });

const besideFile = ({ files }: OperationRequest, name: string): string =>
  join(dirname(files[0] ?? '.'), name);
const hooksDirOf = (request: OperationRequest): string => request.hooksDir ?? besideFile(request, 'hooks');
const commandsDirOf = (request: OperationRequest): string =>
  request.commandsDir ?? besideFile(request, 'commands');

function installerFor(request: OperationRequest, facts: Facts): Installer {
  switch (request.installer) {
    case 'none':
      return noInstaller;
    case 'commands':
      return commandsInstaller(commandsDirOf(request), facts);
    case 'kubeadm':
      return kubeadmInstaller(join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'crds'));
  }
}
