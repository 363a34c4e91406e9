import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { eachError, required, type FieldError } from '#kube/field-error.ts';
import { checkLabel1035 } from '#kube/names.ts';
import { invalidAt } from './crd-error.ts';

/** The names that a definition must have and how they must look. */
export function checkNames(names: JsonObject, path: string): readonly FieldError[] {
  const missing = ['plural', 'singular', 'kind', 'listKind'].filter(
    (name) => (textAt(names, name) ?? '') === '',
  );
  return [...missing.map((name) => required(`${path}.${name}`)), ...checkSpelling(names, path)];
}

/** The syntax of names alone, as in status.acceptedNames. */
export function checkSpelling(names: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['plural', 'singular']) {
    const text = textAt(names, name) ?? '';
    const complaints = text === '' ? [] : checkLabel1035(text);
    if (complaints.length > 0) errors.push(invalidAt(`${path}.${name}`, text, complaints.join(',')));
  }
  for (const name of ['kind', 'listKind']) {
    const text = textAt(names, name) ?? '';
    const complaints = text === '' ? [] : checkLabel1035(text.toLowerCase());
    if (complaints.length === 0) continue;
    const detail = `may have mixed case, but should otherwise match: ${complaints.join(',')}`;
    errors.push(invalidAt(`${path}.${name}`, text, detail));
  }
  errors.push(...checkEach(names, 'shortNames', path));
  const kind = textAt(names, 'kind') ?? '';
  if (kind !== '' && kind === textAt(names, 'listKind')) {
    errors.push(invalidAt(`${path}.listKind`, kind, 'kind and listKind may not be the same'));
  }
  errors.push(...checkEach(names, 'categories', path));
  return errors;
}

function checkEach(names: JsonObject, list: string, path: string): readonly FieldError[] {
  return eachError(listAt(names, list), (each, i) => {
    const complaints = checkLabel1035(typeof each === 'string' ? each : '');
    return complaints.length === 0 ? [] : [invalidAt(`${path}.${list}[${i}]`, each, complaints.join(','))];
  });
}
