import type { Millis } from '#base/time.ts';
import type { Binding, OperationKind, NodeRole } from './model.ts';
import { resolvePath } from './paths.ts';
import type { PlanNote } from './plan.ts';
import { eggoFlagTimeout, eggoPolicy } from './presets.ts';
import type { SpecProblem } from './problem.ts';
import { isRole, roles } from './roles.ts';

export type HookFlagName = 'cluster-prehook' | 'cluster-posthook' | 'prehook' | 'posthook';

/** One `--prehook=PATH,ROLE` as it was given. */
export type HookFlag = { readonly name: HookFlagName; readonly value: string };

export type FlagSettings = {
  /** Relative paths are below this folder. */
  readonly folder: string;
  readonly operation: OperationKind;
  readonly timeout?: Millis;
};

export type BoundFlags = {
  readonly bindings: readonly Binding[];
  readonly problems: readonly SpecProblem[];
  readonly notes: readonly PlanNote[];
};

/** Which flags a verb of eggo's command line takes. */
export const hookFlagsOf = (operation: OperationKind): readonly HookFlagName[] => {
  if (operation === 'cluster.create' || operation === 'cluster.delete')
    return ['cluster-prehook', 'cluster-posthook', 'prehook', 'posthook'];
  return operation === 'node.join' || operation === 'node.delete' ? ['prehook', 'posthook'] : [];
};

export const flagPath = (value: string, folder: string): string => resolvePath(folder, split(value).path);

/** The flags as bindings, in the order in which they were given. */
export function bindFlags(flags: readonly HookFlag[], settings: FlagSettings): BoundFlags {
  const problems: SpecProblem[] = [];
  const notes: PlanNote[] = [];
  const bindings: Binding[] = [];
  const numbers = new Map<string, number>();
  for (const flag of flags) {
    const number = numbers.get(flag.name) ?? 0;
    numbers.set(flag.name, number + 1);
    const origin = { file: `--${flag.name}`, pointer: '' };
    const { path, role, rest } = split(flag.value);
    if (path === '' || rest)
      problems.push({ origin, message: `"${flag.value}" is not a path, or a path, a comma and a role` });
    else if (role !== undefined && !isRole(role))
      problems.push({ origin, message: `unknown role "${role}"`, valid: roles });
    else {
      if (role === undefined && !isClusterWide(flag))
        notes.push({
          type: 'warning',
          message: `--${flag.name}=${flag.value} names no role: master is used`,
          origin,
        });
      bindings.push(bindingOf(flag, { ...settings, number, role: role ?? 'master' }));
    }
  }
  return { bindings, problems, notes };
}

const isClusterWide = ({ name }: HookFlag): boolean => name.startsWith('cluster-');

function bindingOf(
  flag: HookFlag,
  {
    folder,
    operation,
    timeout,
    number,
    role,
  }: FlagSettings & { readonly number: number; readonly role: NodeRole },
): Binding {
  return {
    name: number === 0 ? flag.name : `${flag.name}-${number + 1}`,
    operations: [operation],
    point: flag.name.endsWith('prehook') ? 'pre' : 'post',
    scope: isClusterWide(flag) ? { type: 'once', role } : { type: 'each', roles: [role] },
    action: { type: 'source', candidates: [flagPath(flag.value, folder)], argv: [] },
    policies: { [operation]: eggoPolicy(operation, timeout ?? eggoFlagTimeout) },
    depth: isClusterWide(flag) ? 0 : 1,
    dialect: 'eggo',
    origin: { file: `--${flag.name}`, pointer: '' },
    declared: flag.value,
  };
}

function split(value: string): { readonly path: string; readonly role?: string; readonly rest: boolean } {
  const [path = '', role, ...rest] = value.split(',');
  return { path, ...(role !== undefined && { role }), rest: rest.length > 0 };
}
