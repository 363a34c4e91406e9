import { nearestOf } from '#base/nearest.ts';
import { formatDuration } from '#base/duration.ts';
import { seconds } from '#base/time.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { leastDuration } from '#hooks/decide/least-duration.ts';
import { neverFails } from '#hooks/decide/never-fails.ts';
import { problemsOf, usesOf, type HookProblem, type HookUse } from '#releases/decide/hook-check.ts';
import type { LintSubject } from './lint-subject.ts';
import { asError, asWarning, type ReleaseFinding } from './release-finding.ts';

/** Mistakes in hooks: in their templates, as far as the files have them, and in the values for their args. */
export function hookRules(subject: LintSubject): readonly ReleaseFinding[] {
  const uses = hookUses(subject);
  return [...uses.flatMap((use) => useFindings(subject, use)), ...uncheckedTemplates(subject, uses)];
}

const hookUses = ({ workload, spec, steps }: LintSubject): readonly HookUse[] =>
  usesOf(workload, {
    steps,
    preDelete: spec.preDeleteUpdateStrategy,
    preInplace: spec.preInplaceUpdateStrategy,
    postInplace: spec.postInplaceUpdateStrategy,
  });

function useFindings(subject: LintSubject, use: HookUse): readonly ReleaseFinding[] {
  const { templateName } = use.hook;
  const found = subject.templates.find(templateName);
  const path = `${use.path}.templateName`;
  switch (found.type) {
    case 'unknown':
      return [];
    case 'missing': {
      const { near, known } = found;
      const remedy = near === undefined ? `the files have ${known.join(', ')}` : `did you mean ${near}?`;
      const message = `there is no HookTemplate ${templateName} in the files`;
      return [asError({ rule: 'template-missing', path, message, remedy })];
    }
    case 'invalid': {
      const message = `HookTemplate ${templateName} is not valid: ${found.message}`;
      return [
        asError({ rule: 'template-invalid', path, message, remedy: 'boathook hook lint shows all errors' }),
      ];
    }
    case 'template':
      return [
        ...problemsOf({ workload: subject.workload, template: () => found.template }, use).map((problem) =>
          problemFinding(problem, use, found.template),
        ),
        ...verdictFindings(use, found.template),
        ...durationFindings(subject, use, found.template),
      ];
  }
}

const ruleOf: Readonly<Record<HookProblem['reason'], string>> = {
  HookTemplateMissing: 'template-missing',
  HookTemplateInvalid: 'template-invalid',
  HookArgMissing: 'arg-missing',
  HookArgUndeclared: 'arg-undeclared',
};

/** A value that is not used does not stop a hook, but it is probably meant for another arg. */
function problemFinding(
  { reason, path, arg, message }: HookProblem,
  { hook }: HookUse,
  { spec }: HookTemplate,
): ReleaseFinding {
  const rule = ruleOf[reason];
  if (reason !== 'HookArgUndeclared') return asError({ rule, path, message });
  const index = (hook.args ?? []).findIndex(({ name }) => name === arg);
  const near = nearestOf(
    arg ?? '',
    (spec.args ?? []).map(({ name }) => name),
  );
  const remedy =
    near === undefined ? 'declare it in the HookTemplate, or remove it' : `did you mean ${near}?`;
  return asWarning({ rule, path: index === -1 ? path : `${path}.args[${index}]`, message, remedy });
}

/** The hook of a pod may only act, such as to drain connections; that of a step must judge. */
function verdictFindings({ path, hook }: HookUse, template: HookTemplate): readonly ReleaseFinding[] {
  const why = path.startsWith('spec.updateStrategy.canary') ? neverFails(template) : undefined;
  if (why === undefined) return [];
  const message = `the hook can never fail: in HookTemplate ${hook.templateName} ${why}`;
  const remedy = 'give the metric a successCondition, and a failureLimit below its count';
  return [asWarning({ rule: 'hook-never-fails', path: `${path}.templateName`, message, remedy })];
}

/** The progress deadline counts while a hook runs, and nothing progresses meanwhile. */
function durationFindings(
  { spec }: LintSubject,
  { path, hook }: HookUse,
  template: HookTemplate,
): readonly ReleaseFinding[] {
  const least = leastDuration(template);
  const at = `${path}.templateName`;
  if (least === undefined) {
    const message = `the hook never passes: a metric of HookTemplate ${hook.templateName} has an interval and no count`;
    const remedy = 'give the metric a count, successfulLimit or consecutiveSuccessfulLimit';
    return [asError({ rule: 'hook-never-ends', path: at, message, remedy })];
  }
  const { progressDeadlineSeconds = 600 } = spec;
  if (least < seconds(progressDeadlineSeconds)) return [];
  const message = `the hook takes at least ${formatDuration(least)}, and without progress for ${progressDeadlineSeconds} s the release is reported as Blocked`;
  const remedy = 'set spec.progressDeadlineSeconds to more than that';
  return [asWarning({ rule: 'deadline-too-short', path: at, message, remedy })];
}

/** One warning for all templates that no file has. */
function uncheckedTemplates({ templates }: LintSubject, uses: readonly HookUse[]): readonly ReleaseFinding[] {
  const unknown = uses.filter(({ hook }) => templates.find(hook.templateName).type === 'unknown');
  const [first] = unknown;
  if (first === undefined) return [];
  const names = [...new Set(unknown.map(({ hook }) => hook.templateName))];
  const [what, verb] = names.length === 1 ? ['HookTemplate', 'is'] : ['HookTemplates', 'are'];
  const message = `${what} ${names.join(', ')} ${verb} not in the files: args and verdicts are not checked`;
  const remedy = 'give the file of the HookTemplates with another -f';
  return [asWarning({ rule: 'template-unchecked', path: `${first.path}.templateName`, message, remedy })];
}
