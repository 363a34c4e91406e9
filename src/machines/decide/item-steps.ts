import { variablesOf } from './environment.ts';
import { isUrl } from './eggo-items.ts';
import { nodesFor, policyOf, targetOf, type HookStepContext } from './hook-steps.ts';
import { itemScripts } from './item-scripts.ts';
import { archOfNode, itemFiles, type ItemAction } from './item-sources.ts';
import type { Binding, ClusterNode, ItemType } from './model.ts';
import { cleanPath } from './paths.ts';
import type { FilesStep, JobStep, Material } from './plan.ts';

/** An item's step, or one per architecture where these have files of their own. */
export function itemSteps(
  binding: Binding,
  action: ItemAction,
  stage: string,
  context: HookStepContext,
): readonly (FilesStep | JobStep)[] {
  const groups = groupsOf(action, nodesFor(binding, context), context);
  return groups.map(({ arch, nodes, files }) => {
    const suffix = groups.length === 1 ? '' : `/${arch}`;
    const place = {
      id: `${stage}/${binding.name}${suffix}`,
      title: `${binding.name} (${action.item})`,
      nodes,
    };
    return isPlaced(action.item)
      ? filesStep(binding, action, { ...place, files }, context)
      : jobStep(binding, action, { ...place, files }, context);
  });
}

type Group = {
  readonly arch: string;
  readonly nodes: readonly ClusterNode[];
  readonly files: readonly Material[];
};

function groupsOf(
  action: ItemAction,
  nodes: readonly ClusterNode[],
  { facts }: HookStepContext,
): readonly Group[] {
  const groups = new Map<string, { arch: string; nodes: ClusterNode[]; files: readonly Material[] }>();
  for (const node of nodes) {
    const arch = archOfNode(node);
    const { files } = itemFiles(action, arch, facts);
    const key = JSON.stringify(files);
    const group = groups.get(key) ?? { arch, nodes: [], files };
    group.nodes.push(node);
    groups.set(key, group);
  }
  return [...groups.values()];
}

type PlacedType = 'bin' | 'file' | 'dir';
const isPlaced = (item: ItemType): item is PlacedType => item === 'bin' || item === 'file' || item === 'dir';

type Place = {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly ClusterNode[];
  readonly files: readonly Material[];
};

function filesStep(
  binding: Binding,
  { dst }: ItemAction,
  { id, title, nodes, files }: Place,
  context: HookStepContext,
): FilesStep {
  const deliveries = files.map(({ src, name, digest, size, mode }) => ({
    src,
    dst: cleanPath(`${dst}/${name}`),
    digest,
    size,
    mode,
  }));
  return {
    kind: 'files',
    id,
    title,
    files: deliveries,
    policy: policyOf(binding, context),
    origin: binding.origin,
    targets: nodes.map(({ name }) => ({
      node: name,
      env: [],
      fingerprint: context.facts.sha256(JSON.stringify(deliveries)),
    })),
  };
}

function jobStep(
  binding: Binding,
  action: ItemAction,
  { id, title, nodes, files }: Place,
  context: HookStepContext,
): JobStep {
  const { item } = action;
  const text =
    item === 'repo' || item === 'pkg' || item === 'image' || item === 'yaml' ? itemScripts[item] : '';
  const digest = context.facts.sha256(text);
  const argv = argvOf(action, files, context);
  return {
    kind: 'install',
    id,
    title,
    policy: policyOf(binding, context),
    origin: binding.origin,
    program: { type: 'text', name: `.boathook-${item}.sh`, text },
    digest,
    argv,
    envNames: variablesOf(binding, nodes[0], context).map(({ name }) => name),
    attachments: [],
    ...(files.length > 0 && { materials: files }),
    targets: nodes.map((node) =>
      targetOf(binding, node, { context, inputs: [digest, argv], materials: files }),
    ),
  };
}

/** Files by their names in the job's folder; packages of repositories and manifests of the web by their own. */
function argvOf(
  { item, names }: ItemAction,
  files: readonly Material[],
  { cluster }: HookStepContext,
): readonly string[] {
  const local = files.map(({ name }) => `./${name}`);
  switch (item) {
    case 'repo':
      return names;
    case 'image':
      return [cluster.runtimeEndpoint ?? '-', ...local];
    case 'yaml':
      return [...names.filter(isUrl), ...local];
    default:
      return local;
  }
}
