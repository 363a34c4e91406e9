import { invalid, notSupported, tooLong, type FieldError } from '#kube/field-error.ts';
import { invalidObject } from '#kube/status.ts';
import { namespaceOf, type Call } from '#embedded/server/request/call.ts';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The query options of a write. */
export type WriteRequestOptions = {
  readonly dryRun: boolean;
  readonly manager: string;
  readonly validation: FieldValidation;
};

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Reads and checks the options of a write. */
export function writeOptions(call: Call, kind: OptionsKind): WriteRequestOptions {
  const { query } = call;
  const dryRun = query.getAll('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const errors = [...dryRunErrors(dryRun), ...managerErrors(manager), ...validationErrors(validation)];
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === '' ? managerOf(call.request.headers['user-agent']) : manager,
    validation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
  };
}

/** What a write of an object takes from its call. */
export const writeParts = (call: Call, { manager }: WriteRequestOptions) => ({
  resource: call.resource,
  namespace: namespaceOf(call),
  subresource: call.target.subresource ?? '',
  manager,
  authorizeWrite: call.authorizeWrite,
});

/** The user agent up to its first slash. */
function managerOf(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/')[0] ?? '';
  return printable(name === '' ? 'unknown' : name).slice(0, 128);
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '');

/** The list is quoted as Go prints it. */
export function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const quoted = `[]string{${[...new Set(values)].map((value) => JSON.stringify(value)).join(', ')}}`;
  const message = `Unsupported value: ${quoted}: supported values: "All"`;
  return [{ reason: 'FieldValueNotSupported', field: 'dryRun', message }];
}

function managerErrors(manager: string): readonly FieldError[] {
  if (manager.length > 128) return [tooLong('fieldManager', 128)];
  return /^[\x20-\x7e]*$/.test(manager)
    ? []
    : [invalid('fieldManager', manager, 'should only contain printable characters')];
}

function validationErrors(validation: string): readonly FieldError[] {
  if (['', 'Ignore', 'Strict', 'Warn'].includes(validation)) return [];
  return [notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn'])];
}
