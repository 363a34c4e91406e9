import type { StepHook } from '#releases/kinds/canary.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { listAt } from '#base/json.ts';
import { isPodWord, mergeArgs } from '#hooks/decide/args.ts';
import { templateProblem } from '#hooks/decide/template-problem.ts';
import { namespaceOf } from '#kube/object.ts';
import type { ReleaseSpec } from './release-spec.ts';
import type { WorkloadSnapshot } from './snapshot.ts';
import { hookOf } from './steps/step-types.ts';
import { stepArgNames } from './steps/step-hook-run.ts';

/** Whether the hooks of a workload can run. */
export type HookCheck =
  | { readonly isValid: true }
  | { readonly isValid: false; readonly reason: HookProblemReason; readonly message: string };

/** The most severe first. The last one does not stop a hook: the value is only unused. */
const problemReasons = [
  'HookTemplateMissing',
  'HookTemplateInvalid',
  'HookArgMissing',
  'HookArgUndeclared',
] as const;
export type HookProblemReason = (typeof problemReasons)[number];

type HookRef = Pick<StepHook, 'templateName' | 'args'>;

/** A hook, its field path, and the args that the controller injects. */
export type HookUse = {
  readonly path: string;
  readonly hook: HookRef;
  readonly isInjected: (name: string) => boolean;
};

/** What is wrong with a hook: `path` is its field, `arg` the argument that it is about. */
export type HookProblem = {
  readonly reason: HookProblemReason;
  readonly path: string;
  readonly arg?: string;
  readonly message: string;
};

const mostShown = 5;

/** Checks all hooks of a workload, also when no release is in progress. Undefined: it has none. */
export function checkHooks(
  snapshot: Pick<WorkloadSnapshot, 'workload' | 'template'>,
  spec: ReleaseHooks,
): HookCheck | undefined {
  const uses = usesOf(snapshot.workload, spec);
  if (uses.length === 0) return undefined;
  const problems = uses.flatMap((use) => problemsOf(snapshot, use));
  const reason = problemReasons.find((each) => problems.some((problem) => problem.reason === each));
  if (reason === undefined) return { isValid: true };
  const left = problems.length - mostShown;
  const message = [
    ...problems.slice(0, mostShown).map(({ path, message }) => `${path}: ${message}`),
    ...(left > 0 ? [`and ${left} more`] : []),
  ].join('\n');
  return { isValid: false, reason, message };
}

export type ReleaseHooks = Pick<ReleaseSpec, 'steps' | 'preDelete' | 'preInplace' | 'postInplace'>;

/** The hooks of a workload. */
export function usesOf(workload: WorkloadSnapshot['workload'], spec: ReleaseHooks): readonly HookUse[] {
  const { steps = [], preDelete, preInplace, postInplace } = spec;
  const isOfStep = (name: string): boolean => stepArgNames.has(name);
  const count = listAt(workload, 'spec', 'template', 'spec', 'containers').length;
  const isOfPod = (name: string): boolean =>
    podArgNames.has(name) || isContainer(name, 'PodContainer', count);
  const isOfUpdate = (name: string): boolean =>
    isOfPod(name) || isContainer(name, 'ModifiedContainer', count);
  const strategies = [
    { name: 'preDeleteUpdateStrategy', strategy: preDelete, isInjected: isOfPod },
    { name: 'preInplaceUpdateStrategy', strategy: preInplace, isInjected: isOfUpdate },
    { name: 'postInplaceUpdateStrategy', strategy: postInplace, isInjected: isOfUpdate },
  ];
  return [
    ...steps.flatMap((step, i) => {
      const hook = hookOf(step);
      const path = `spec.updateStrategy.canary.steps[${i}].hook`;
      return hook === undefined ? [] : [{ path, hook, isInjected: isOfStep }];
    }),
    ...strategies.flatMap(({ name, strategy, isInjected }) =>
      strategy?.hook === undefined ? [] : [{ path: `spec.${name}.hook`, hook: strategy.hook, isInjected }],
    ),
  ];
}

const podArgNames: ReadonlySet<string> = new Set(['PodName', 'PodNamespace', 'PodIP', 'HostIP']);

function isContainer(name: string, word: string, count: number): boolean {
  const [, at] = /^\w+\[(\d+)\]$/.exec(name) ?? [];
  return at !== undefined && name.startsWith(`${word}[`) && Number(at) < count;
}

export function problemsOf(
  { workload, template: find }: Pick<WorkloadSnapshot, 'workload' | 'template'>,
  use: HookUse,
): readonly HookProblem[] {
  const { path, hook } = use;
  const name = hook.templateName;
  const template = find(name);
  if (template === undefined) {
    const message = `HookTemplate ${name} does not exist in namespace ${namespaceOf(workload)}: create it, or correct templateName`;
    return [{ reason: 'HookTemplateMissing', path, message }];
  }
  const invalid = templateProblem(template);
  return [
    ...(invalid === undefined
      ? []
      : [{ reason: 'HookTemplateInvalid', path, message: `HookTemplate ${name}: ${invalid}` } as const]),
    ...argProblems(template, use),
  ];
}

function argProblems({ spec }: HookTemplate, { path, hook, isInjected }: HookUse): readonly HookProblem[] {
  const { templateName, args = [] } = hook;
  const declared = spec.args ?? [];
  const injected = declared.filter(({ name }) => isInjected(name)).map(({ name }) => ({ name, value: '' }));
  const merged = mergeArgs(declared, args, { injected });
  const missing = merged.type === 'missing' ? merged.names : [];
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = args.map(({ name }) => name).filter((name) => !names.has(name) && !isPodWord(name));
  return [
    ...missing.map((name): HookProblem => {
      const message = `the arg ${name} of HookTemplate ${templateName} has no value: give it in args of the hook, or in the template`;
      return { reason: 'HookArgMissing', path, arg: name, message };
    }),
    ...undeclared.map((name): HookProblem => {
      const choice = names.size === 0 ? 'it declares none' : `it declares ${[...names].join(', ')}`;
      const message = `HookTemplate ${templateName} does not declare the arg ${name}, so its value is not used: ${choice}`;
      return { reason: 'HookArgUndeclared', path, arg: name, message };
    }),
  ];
}
