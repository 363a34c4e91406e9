import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { isPodWord } from './args.ts';
import { metricProblems, placeholderProblems, type PlaceholderProblem } from './metric-problems.ts';
import { metricWarnings } from './metric-warnings.ts';

/** Errors in a template, with which no run of it can work, and warnings. */
export function lintTemplate(template: Pick<HookTemplate, 'spec'>): readonly Finding[] {
  const { metrics, args = [] } = template.spec;
  return metrics.flatMap((metric, i) => {
    const found: readonly Finding[] = [
      ...metricProblems(metric).map((problem) => ({ severity: 'error' as const, ...problem })),
      ...placeholderProblems(metric, args).map(placeholderFinding),
      ...metricWarnings(metric).map((warning) => ({ severity: 'warning' as const, ...warning })),
    ];
    return found.map((finding) => ({ ...finding, path: `spec.metrics[${i}].${finding.path}` }));
  });
}

/** Arguments about a pod need not be declared, but only runs for a pod have them. */
function placeholderFinding({ path, message, name }: PlaceholderProblem): Finding {
  if (name === undefined) return { severity: 'error', path, message };
  if (!isPodWord(name))
    return { severity: 'error', path, message, hint: `declare it: args: [{ name: ${name} }]` };
  const hint = `declare it (args: [{ name: ${name} }]), so that other runs are refused without it`;
  return { severity: 'warning', path, message: `{{ args.${name} }} exists only in hooks of a pod`, hint };
}

/** `error: spec.metrics[0].interval: a count of 2 needs an interval, such as 60s`. */
export function textOfFinding({ severity, path, message, hint }: Finding): string {
  return `${severity}: ${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}
