import type { HookVariable } from './environment.ts';
import { installCondition, platformCondition } from './install-conditions.ts';
import { makingSteps, outlineOf, type StepName } from './install-outline.ts';
import type { Installer, InstallStage, InstallStep } from './installer.ts';
import type { ClusterNode, Facts } from './model.ts';
import type { SpecProblem } from './problem.ts';

/** File names of the user's scripts; `platform` is for bootstrap. */
const commandNames: readonly (StepName | 'platform')[] = [
  'check',
  'init',
  'invite',
  'join-master',
  'join-worker',
  'mark',
  'plan-upgrade',
  'drain',
  'upgrade-first',
  'upgrade',
  'uncordon',
  'reset',
  'forget',
  'platform',
];

export const commandPaths = (folder: string): readonly string[] =>
  commandNames.map((name) => `${folder}/${name}`);

/** The user's own script per step; a step without a script is left out. Its argument is the node in question. */
export const commandsInstaller = (folder: string, facts: Pick<Facts, 'sources'>): Installer => ({
  name: 'commands',
  stages: (request) =>
    outlineOf(request).map((stage): InstallStage => ({
      name: stage.name,
      steps: stage.steps.flatMap(({ name, on, about }): readonly InstallStep[] => {
        const program = programAt(`${folder}/${name}`, facts);
        if (program === undefined) return [];
        return [
          {
            type: 'job',
            name: `${name}/${about.name}`,
            nodes: [on],
            program,
            argv: [about.name, about.address],
            attachments: [],
            ...(makingSteps.has(name) && { makes: true }),
            condition: installCondition({ name, about }),
            ...(name === 'mark' && { variables: markVariables(about), about: about.name }),
          },
        ];
      }),
      ...(stage.afterPost === true && { afterPost: true }),
      ...(stage.beforePre === true && { beforePre: true }),
    })),
  platform: () => {
    const program = programAt(`${folder}/platform`, facts);
    if (program === undefined) return [];
    const given = { program, argv: [], attachments: [], condition: platformCondition };
    const step: InstallStep = { type: 'local', name: 'platform', ...given };
    return [{ name: 'platform', steps: [step] }];
  },
});

/** Separated by blanks, for `kubectl label node "$1" $BOATHOOK_LABELS --overwrite`. */
const markVariables = ({ marks }: ClusterNode): readonly HookVariable[] => [
  { name: 'BOATHOOK_LABELS', value: (marks?.labels ?? []).join(' ') },
  { name: 'BOATHOOK_TAINTS', value: (marks?.taints ?? []).join(' ') },
];

/** The folder must have at least one of the scripts, and each must be a file. */
export function checkCommands(folder: string, { sources }: Pick<Facts, 'sources'>): readonly SpecProblem[] {
  const origin = { file: '--commands-dir', pointer: '' };
  const facts = commandPaths(folder).map((path) => ({ path, fact: sources.get(path) }));
  const wrong = facts.filter(({ fact }) => fact?.type === 'directory' || fact?.type === 'refused');
  if (wrong.length > 0)
    return wrong.map(({ path }) => ({ origin, message: `${path} must be a regular file: a script` }));
  if (facts.some(({ fact }) => fact?.type === 'file')) return [];
  return [{ origin, message: `${folder} has none of the scripts of an installer`, valid: commandNames }];
}

function programAt(
  path: string,
  { sources }: Pick<Facts, 'sources'>,
): Extract<InstallStep, { type: 'job' }>['program'] | undefined {
  const fact = sources.get(path);
  return fact?.type === 'file' ? { type: 'source', path, digest: fact.digest } : undefined;
}

/** Runs hooks only: users install Kubernetes themselves. */
export const noInstaller: Installer = { name: 'none', stages: () => [] };
