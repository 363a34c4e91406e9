import { piece, variablesOf, type HookPlace } from './environment.ts';
import type { Binding, ClusterNode, Facts, FileDelivery, Origin, Policy } from './model.ts';
import { cleanPath } from './paths.ts';
import { localNode, type JobStep, type Program, type Target } from './plan.ts';
import { repeatable } from './presets.ts';
import { firstWith } from './roles.ts';
import { scriptsOf } from './script-sources.ts';

export type HookContext = HookPlace & {
  readonly facts: Facts;
  /** The nodes that the operation is about, in the order of the file. */
  readonly concerned: readonly ClusterNode[];
  readonly deliveries: readonly FileDelivery[];
  /** Where the user's file speaks of files. */
  readonly filesOrigin?: Origin;
};

/** Where a binding runs in this operation. */
export function nodesFor({ scope }: Binding, { cluster, concerned }: HookContext): readonly ClusterNode[] {
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
export function hookSteps(binding: Binding, stage: string, context: HookContext): readonly JobStep[] {
  const local = binding.scope.type === 'local';
  const nodes = nodesFor(binding, context);
  if (nodes.length === 0 && !local) return [];
  return programsOf(binding, context).map(({ suffix, program, digest }) => {
    const argv = binding.action.argv;
    const targets = (local ? [undefined] : nodes).map((node) =>
      targetOf(binding, node, { context, digest, argv }),
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
      ...(binding.cwd !== undefined && { cwd: binding.cwd }),
    };
  });
}

const policyOf = ({ policies }: Binding, { operation }: HookContext): Policy =>
  policies[operation] ?? repeatable('abort');

type NamedProgram = { readonly suffix: string; readonly program: Program; readonly digest: string };

function programsOf({ action, scope }: Binding, { facts, deliveries }: HookContext): readonly NamedProgram[] {
  if (action.type === 'delivered') {
    const found = deliveries.find(({ dst }) => dst === cleanPath(action.path));
    const program = { type: 'delivered', path: cleanPath(action.path) } as const;
    return [{ suffix: '', program, digest: found?.digest ?? '' }];
  }
  const scripts = scriptsOf(action, facts);
  // On the operator's machine a script is where it is to be: it runs in place, as the installer's hooks always did.
  const local = scope.type === 'local';
  return scripts.map(({ name, path, digest }) => ({
    suffix: local ? '' : `/${name}`,
    program: local ? { type: 'delivered', path } : { type: 'source', path, digest },
    digest,
  }));
}

function targetOf(
  binding: Binding,
  node: ClusterNode | undefined,
  {
    context,
    digest,
    argv,
  }: { readonly context: HookContext; readonly digest: string; readonly argv: readonly string[] },
): Target {
  const variables = variablesOf(binding, node, context);
  return {
    node: node?.name ?? localNode,
    env: variables.map(piece),
    fingerprint: context.facts.sha256(JSON.stringify([digest, argv, variables])),
  };
}
