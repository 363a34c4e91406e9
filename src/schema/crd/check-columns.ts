import { listAt, textAt, type Json } from '#base/json.ts';
import { eachError, required, type FieldError } from '#kube/field-error.ts';
import { checkSimplePath } from './check-subresources.ts';
import { invalidAt } from './crd-error.ts';

/** The columns that `kubectl get` shows. */
export function checkColumns(columns: Json | undefined, path: string): readonly FieldError[] {
  return eachError(listAt({ columns: columns ?? null }, 'columns'), (column, i) =>
    checkColumn(column, `${path}[${i}]`),
  );
}

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function checkColumn(column: Json, path: string): readonly FieldError[] {
  const text = (name: string): string => textAt(column, name) ?? '';
  const errors: FieldError[] = [];
  if (text('name') === '') errors.push(required(`${path}.name`));
  const ofTypes = `must be one of ${types.join(',')}`;
  if (text('type') === '') errors.push(required(`${path}.type`, ofTypes));
  else if (!types.includes(text('type'))) errors.push(invalidAt(`${path}.type`, text('type'), ofTypes));
  if (text('format') !== '' && !formats.includes(text('format'))) {
    errors.push(invalidAt(`${path}.format`, text('format'), `must be one of ${formats.join(',')}`));
  }
  if (text('jsonPath') === '') errors.push(required(`${path}.JSONPath`));
  else errors.push(...checkSimplePath(text('jsonPath'), `${path}.JSONPath`));
  return errors;
}
