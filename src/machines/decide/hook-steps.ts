import { piece, variablesOf, type HookPlace } from './environment.ts';
import type { Binding, ClusterNode, Facts, FileDelivery, Origin, Policy } from './model.ts';
import { cleanPath, folderOf } from './paths.ts';
import {
  localNode,
  type DeliveredFolder,
  type JobStep,
  type Material,
  type StepProgram,
  type TaskTarget,
} from './plan.ts';
import { repeatable } from './presets.ts';
import { firstWith } from './roles.ts';
import { scriptsOf } from './script-sources.ts';

export type HookStepContext = HookPlace & {
  readonly facts: Facts;
  /** The nodes of the operation, in the order of the file. */
  readonly concerned: readonly ClusterNode[];
  readonly deliveries: readonly FileDelivery[];
  /** The origin of `features.files`. */
  readonly filesOrigin?: Origin;
};

/** Where a binding runs in this operation. */
export function nodesFor(
  { scope }: Binding,
  { cluster, concerned }: HookStepContext,
): readonly ClusterNode[] {
  switch (scope.type) {
    case 'local':
      return [];
    case 'once': {
      const node = firstWith(cluster.nodes, scope.role);
      return node === undefined ? [] : [node];
    }
    case 'each':
      return concerned.filter(
        ({ roles }) => scope.roles === undefined || scope.roles.some((role) => roles.includes(role)),
      );
  }
}

/** One step per script. `stage` makes the ids unique. */
export function hookSteps(binding: Binding, stage: string, context: HookStepContext): readonly JobStep[] {
  const local = binding.scope.type === 'local';
  const nodes = nodesFor(binding, context);
  if (nodes.length === 0 && !local) return [];
  return programsOf(binding, context).map(({ suffix, program, digest, materials }) => {
    const argv = binding.action.argv;
    const targets = (local ? [undefined] : nodes).map((node) =>
      targetOf(binding, node, { context, inputs: [digest, argv], materials }),
    );
    const envNames = variablesOf(binding, local ? undefined : nodes[0], context).map(({ name }) => name);
    return {
      kind: 'hook',
      id: `${stage}/${binding.name}${suffix}`,
      title: `${binding.name}${suffix}`,
      point: binding.point,
      targets,
      policy: policyOf(binding, context),
      ...(binding.condition !== undefined && { condition: binding.condition }),
      origin: binding.origin,
      program,
      digest,
      argv,
      envNames,
      attachments: [],
      ...(materials.length > 0 && { materials }),
      ...(binding.cwd !== undefined && { cwd: binding.cwd }),
    };
  });
}

export const policyOf = ({ policies }: Binding, { operation }: HookStepContext): Policy =>
  policies[operation] ?? repeatable('abort');

type NamedProgram = {
  readonly suffix: string;
  readonly program: StepProgram;
  readonly digest: string;
  readonly materials: readonly Material[];
};

function programsOf(
  { action, scope }: Binding,
  { facts, deliveries }: HookStepContext,
): readonly NamedProgram[] {
  if (action.type === 'delivered') {
    const found = deliveries.find(({ dst }) => dst === cleanPath(action.path));
    const path = cleanPath(action.path);
    const folder = found === undefined ? undefined : deliveredWith(found, deliveries);
    const program = { type: 'delivered', path, ...(folder !== undefined && { folder }) } as const;
    return [{ suffix: '', program, digest: found?.digest ?? '', materials: [] }];
  }
  if (action.type === 'item') return [];
  const scripts = scriptsOf(action, facts);
  // On the operator's machine a script runs in place.
  if (scope.type === 'local')
    return scripts.map(({ path, digest }) => ({
      suffix: '',
      program: { type: 'delivered', path },
      digest,
      materials: [],
    }));
  return scripts.map(({ name, path, digest, materials }) => ({
    suffix: `/${name}`,
    program: materials.length === 0 ? { type: 'source', path, digest } : { type: 'material', name, path },
    digest,
    materials,
  }));
}

type TargetInputs = {
  readonly context: HookStepContext;
  readonly inputs: readonly unknown[];
  readonly materials: readonly Material[];
};

/** Everything that is delivered into the folder of a script: the script may use it. */
function deliveredWith(script: FileDelivery, deliveries: readonly FileDelivery[]): DeliveredFolder {
  const root = script.root ?? folderOf(script.dst);
  const below = root === '/' ? '/' : `${root}/`;
  const files = deliveries.filter(({ dst }) => dst.startsWith(below));
  return { root, files: files.map(({ dst, digest, size, mode }) => ({ dst, digest, size, mode })) };
}
/** One node of a step, with the environment of its script. */
export function targetOf(
  binding: Binding,
  node: ClusterNode | undefined,
  { context, inputs, materials }: TargetInputs,
): TaskTarget {
  const variables = variablesOf(binding, node, context);
  const files = materials.map(({ name, digest }) => [name, digest]);
  const all = [...inputs, variables, ...(files.length > 0 ? [files] : [])];
  return {
    node: node?.name ?? localNode,
    env: variables.map(piece),
    fingerprint: context.facts.sha256(JSON.stringify(all)),
  };
}
