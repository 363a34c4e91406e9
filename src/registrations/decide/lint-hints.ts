import { nearestOf } from '#base/nearest.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import type { FieldError } from '#kube/field-error.ts';

/** Hints by field and message. */
const hints: readonly (readonly [field: RegExp, message: RegExp, hint: string])[] = [
  [/^spec\.crd$/, /should match/, 'write plural.group, such as kuards.extensions.triggermesh.io'],
  [/^spec\.hook\.version$/, /./, 'write version: v1'],
  [/^spec\.hook\.capabilities/, /"finali[sz]ation"/i, 'the phase of a deletion is called finalize'],
  [/^spec\.hook\.capabilities/, /"reconcile"/i, 'pre-reconcile, post-reconcile, or both'],
  [/^spec\.hook\.(timeout|resyncPeriod|finalizeTimeout)$/, /./, 'write a duration such as PT10S or 10s'],
  [/\.path$|Path\.(name|key|secretName)$/, /spec/, 'write the path from the top: spec.group.variable'],
];

export function errorFinding({ field, message }: FieldError): Finding {
  const hint = hints.find(([fields, messages]) => fields.test(field) && messages.test(message))?.[2];
  return { severity: 'error', path: field, message, ...(hint === undefined ? {} : { hint }) };
}

/** An unknown field, with a similar known one if there is one. */
export function unknownField(path: string, siblings: readonly string[]): Finding {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const near = nearestOf(name, siblings);
  const message = 'is not a known field';
  return {
    severity: 'error',
    path,
    message,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}
