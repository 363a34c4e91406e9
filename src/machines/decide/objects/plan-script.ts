import { seconds } from '#base/time.ts';
import type { Binding, Facts } from '#machines/decide/model.ts';
import { delivers } from '#machines/decide/file-entries.ts';
import { noInstaller } from '#machines/decide/commands-installer.ts';
import { planOperation } from '#machines/decide/plan-operation.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { repeatable } from '#machines/decide/presets.ts';
import { declareCluster } from '#machines/decide/tkestack.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import type { PreparedObject } from './plan-object.ts';
import { problemsText } from './problems.ts';

/** A script of a Cluster that a HookTemplate runs. */
export type ScriptRequest = {
  readonly role: 'master' | 'worker';
  readonly on: 'first' | 'all';
  readonly script: string;
  readonly argv: readonly string[];
  readonly timeoutSeconds: number;
};

export type PlannedScript =
  | {
      readonly type: 'planned';
      readonly plan: MachinePlan;
      readonly declaration: Declaration;
      /** Where it runs, in this order. */
      readonly nodes: readonly string[];
    }
  | { readonly type: 'impossible'; readonly message: string };

/** Its files, then the script, on one machine after the other. Only what the Cluster itself delivers is run. */
export function planScript(request: ScriptRequest, { spec }: PreparedObject, facts: Facts): PlannedScript {
  const { role, on, script, argv, timeoutSeconds } = request;
  const declared = declareCluster(spec, facts, { force: false });
  const wrong = declared.problems.filter(({ origin }) => !origin.pointer.startsWith('/spec/features/hooks'));
  if (wrong.length > 0) return { type: 'impossible', message: problemsText(wrong) };
  if (!delivers(declared.files, facts, script))
    return {
      type: 'impossible',
      message: `${script} is not delivered by spec.features.files of Cluster ${declared.cluster.id}`,
    };
  const fitting = declared.cluster.nodes.filter(({ roles }) => roles.includes(role));
  const nodes = (on === 'first' ? fitting.slice(0, 1) : fitting).map(({ name }) => name);
  if (nodes.length === 0)
    return {
      type: 'impossible',
      message: `Cluster ${declared.cluster.id} has no machine with the role ${role}`,
    };
  const binding: Binding = {
    name: script.slice(script.lastIndexOf('/') + 1),
    operations: ['node.upgrade'],
    point: 'pre',
    scope: { type: 'each' },
    action: { type: 'delivered', path: script, argv },
    policies: { 'node.upgrade': repeatable('abort', seconds(timeoutSeconds)) },
    depth: 0,
    dialect: 'tkestack',
    origin: { file: '', pointer: '' },
    declared: script,
  };
  const plan = planOperation({
    operation: 'node.upgrade',
    declaration: { ...declared, bindings: [binding] },
    facts,
    nodes,
    installer: noInstaller,
    parallel: 20,
    force: false,
  });
  return { type: 'planned', plan, declaration: declared, nodes };
}
