import { countText } from '#base/text.ts';
import { textOfFinding } from '#hooks/decide/lint.ts';
import { textAt, type JsonObject } from '#base/json.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { lintRegistration } from '#registrations/decide/lint-registration.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { printJson, printLine, wantsJson, type OutputFlags } from '#command/print.ts';
import { readFiles } from './read-files.ts';

export type RegistrationLintFlags = OutputFlags & { readonly filename: readonly string[] };

/** `boathook registration lint`: returns 0 without errors, 1 with errors. */
export async function lintCommand(flags: RegistrationLintFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const { registrations, crds, others, sources } = readFiles(flags.filename);
  const crdOf = (each: KubeObject): string => textAt(each, 'spec', 'crd') ?? '';
  const linted = registrations.map((object, i) => {
    const crd = crds.find((each) => nameOf(each) === crdOf(object));
    const rival = registrations.find(
      (each, j) => j < i && crdOf(each) !== '' && crdOf(each) === crdOf(object),
    );
    const { file = '', lineOf = () => 1 } = sources.get(object) ?? {};
    const findings = [...lintRegistration(object, crd, others), ...rivalry(rival)];
    return {
      name: nameOf(object) || '(without a name)',
      file,
      findings: findings.map((finding) => ({ ...finding, line: lineOf(finding.path) })),
    };
  });
  const all = linted.flatMap(({ findings }) => findings);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const warnings = all.length - errors;
  if (isJson) {
    const shown = linted.map(({ findings, ...each }) => ({ ...each, findings: findings.map(asJson) }));
    printJson({ errors, warnings, registrations: shown });
  } else {
    for (const { name, file, findings } of linted)
      for (const finding of findings)
        printLine(`${file}:${finding.line}: CRDRegistration ${name}: ${textOfFinding(finding)}`);
    printLine(
      `${countText(linted.length, 'registration')}: ${countText(errors, 'error')}, ${countText(warnings, 'warning')}`,
    );
  }
  return errors === 0 ? 0 : 1;
}

const rivalry = (rival: KubeObject | undefined): readonly Finding[] =>
  rival === undefined
    ? []
    : [
        {
          severity: 'error',
          path: 'spec.crd',
          message: `is already registered by ${nameOf(rival)}`,
          hint: 'a CRD has one registration: remove one of them',
        },
      ];

const asJson = (finding: Finding): JsonObject => ({ ...finding });
