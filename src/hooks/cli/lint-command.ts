import { countText } from '#base/text.ts';
import { textOfFinding } from '#hooks/decide/lint.ts';
import type { JsonObject } from '#base/json.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { printJson, printLine, wantsJson, type OutputFlags } from '#command/print.ts';
import { readTemplates } from './templates.ts';

export type LintFlags = OutputFlags & { readonly filename: string };

/** `boathook hook lint`: 0 when no template has an error, 1 when one has. */
export async function lintCommand(flags: LintFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const templates = readTemplates(flags.filename);
  const all = templates.flatMap(({ findings }) => findings);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const counts = { errors, warnings: all.length - errors };
  if (isJson) {
    const shown = templates.map((template) => {
      const { name, file, findings, lineOf } = template;
      return { name, file, findings: findings.map((each) => ({ ...asJson(each), line: lineOf(each.path) })) };
    });
    printJson({ ...counts, templates: shown });
  } else {
    for (const { name, file, findings, lineOf } of templates)
      for (const finding of findings)
        printLine(`${file}:${lineOf(finding.path)}: HookTemplate ${name}: ${textOfFinding(finding)}`);
    printLine(summaryOf(templates.length, counts));
  }
  return errors === 0 ? 0 : 1;
}

const asJson = (finding: Finding): JsonObject => ({ ...finding });

function summaryOf(templates: number, { errors, warnings }: { errors: number; warnings: number }): string {
  return `${countText(templates, 'template')}: ${countText(errors, 'error')}, ${countText(warnings, 'warning')}`;
}
