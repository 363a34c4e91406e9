import { listAt, textAt } from '#base/json.ts';
import { specProblem } from '#releases/decide/spec-problem.ts';
import type { LintSubject } from './lint-subject.ts';
import { asError, type ReleaseFinding } from './release-finding.ts';

/** What the server refuses beside the schema: the workload itself, or each of its pods. */
export const manifestRules = (subject: LintSubject): readonly ReleaseFinding[] => [
  ...missingName(subject),
  ...selector(subject),
  ...containers(subject),
];

function missingName({ given }: LintSubject): readonly ReleaseFinding[] {
  const name = textAt(given, 'metadata', 'name') ?? textAt(given, 'metadata', 'generateName') ?? '';
  if (name !== '') return [];
  const message = 'is missing: the server refuses the workload';
  return [asError({ rule: 'name', path: 'metadata.name', message, remedy: 'add name' })];
}

function selector({ workload }: LintSubject): readonly ReleaseFinding[] {
  const problem = specProblem({ workload });
  if (problem === undefined) return [];
  const path = 'spec.selector';
  return [asError({ rule: 'selector', path, message: problem.message.replace(`${path} `, '') })];
}

/** The schema leaves the spec of pods open. */
function containers({ workload }: LintSubject): readonly ReleaseFinding[] {
  const path = 'spec.template.spec.containers';
  const list = listAt(workload, 'spec', 'template', 'spec', 'containers');
  if (list.length === 0) {
    const message = 'is empty: the server refuses the pods';
    return [
      asError({ rule: 'containers', path, message, remedy: 'add a container with a name and an image' }),
    ];
  }
  return list.flatMap((container, index) =>
    ['name', 'image']
      .filter((field) => (textAt(container, field) ?? '') === '')
      .map((field) => {
        const message = `has no ${field}: the server refuses the pods`;
        return asError({ rule: 'containers', path: `${path}[${index}]`, message, remedy: `add ${field}` });
      }),
  );
}
