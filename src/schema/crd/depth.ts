import type { Json } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { invalidDump } from './crd-error.ts';

/** The depth limit of schemas: deeper ones would overflow the stack. */
const deepest = 400;

/** The guard of everything here that is recursive; itself it is not. */
export function checkDepth(value: Json, field: string): readonly FieldError[] {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest)
      return [invalidDump(field, '"..."', `must not be nested deeper than ${deepest} levels`)];
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return [];
}
