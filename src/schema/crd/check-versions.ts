import { equalJson, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { required, type FieldError } from '#kube/field-error.ts';
import { checkLabel1035 } from '#kube/names.ts';
import { checkColumns } from './check-columns.ts';
import { checkSchema } from './check-schema.ts';
import { checkSelectable } from './check-selectable.ts';
import { checkSubresources } from './check-subresources.ts';
import { invalidAt, invalidDump } from './crd-error.ts';
import { checkDepth } from './depth.ts';
import { dumpVersions } from './dump-versions.ts';

/** The versions of a definition: their names, flags, schemas, columns and subresources. */
export function checkVersions(spec: JsonObject): readonly FieldError[] {
  const tooDeep = checkDepth(spec['versions'] ?? null, 'spec.versions');
  if (tooDeep.length > 0) return tooDeep;
  const versions = listAt(spec, 'versions').map((each) => (isObject(each) ? each : {}));
  const names = versions.map((each) => textAt(each, 'name') ?? '');
  const errors: FieldError[] = versions.flatMap((each, i) => checkVersion(each, i));
  const dump = (detail: string): FieldError => invalidDump('spec.versions', dumpVersions(versions), detail);
  if (new Set(names).size < names.length) errors.push(dump('must contain unique version names'));
  if (versions.filter((each) => each['storage'] === true).length !== 1) {
    errors.push(dump('must have exactly one version marked as storage version'));
  }
  const first = names[0] ?? '';
  const complaints = first === '' ? [] : checkLabel1035(first);
  if (complaints.length > 0) errors.push(invalidAt('spec.version', first, complaints.join(',')));
  return [...errors, ...parts.flatMap((part) => checkPart(versions, part))];
}

function checkVersion(version: JsonObject, i: number): readonly FieldError[] {
  const path = `spec.versions[${i}]`;
  const name = textAt(version, 'name') ?? '';
  const errors: FieldError[] = [];
  if (objectAt(version, 'schema', 'openAPIV3Schema') === undefined) {
    errors.push(required(`${path}.schema.openAPIV3Schema`, 'schemas are required'));
  }
  const complaints = checkLabel1035(name);
  if (complaints.length > 0) errors.push(invalidAt(`${path}.name`, name, complaints.join(',')));
  for (const text of checkWarning(version)) {
    errors.push(invalidAt(`${path}.deprecationWarning`, version['deprecationWarning'], text));
  }
  return errors;
}

function checkWarning(version: JsonObject): readonly string[] {
  const warning = version['deprecationWarning'] ?? null;
  if (warning === null) return [];
  if (version['deprecated'] !== true) return ['can only be set for deprecated versions'];
  const text = typeof warning === 'string' ? warning : '';
  const errors: string[] = [];
  if (text.length > 256) errors.push('must be <= 256 characters long');
  if (text === '') errors.push('must not be an empty string');
  const strange = /[\p{C}\p{Zl}\p{Zp}]/u.exec(text);
  if (strange !== null) {
    errors.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${strange.index}`,
    );
  }
  return errors;
}

/** A part of a version that the server checks once, under the spec itself, when all versions have the same. */
type Part = {
  readonly read: (version: JsonObject) => Json | undefined;
  readonly common: string;
  readonly own: string;
  readonly check: (value: Json | undefined, version: JsonObject, path: string) => readonly FieldError[];
};

const schemaOf = (version: JsonObject): JsonObject | undefined =>
  objectAt(version, 'schema', 'openAPIV3Schema');
const hasStatus = (version: JsonObject): boolean => objectAt(version, 'subresources', 'status') !== undefined;

const parts: readonly Part[] = [
  {
    read: schemaOf,
    common: 'validation.openAPIV3Schema',
    own: 'schema.openAPIV3Schema',
    check: (value, version, path) =>
      isObject(value) ? checkSchema(value, { path, status: hasStatus(version) }) : [],
  },
  {
    read: (version) => version['subresources'],
    common: 'subresources',
    own: 'subresources',
    check: (value, _version, path) => checkSubresources(value, path),
  },
  {
    read: (version) => version['additionalPrinterColumns'],
    common: 'additionalPrinterColumns',
    own: 'additionalPrinterColumns',
    check: (value, _version, path) => checkColumns(value, path),
  },
  {
    read: (version) => version['selectableFields'],
    common: 'selectableFields',
    own: 'selectableFields',
    check: (value, version, path) => checkSelectable(value, schemaOf(version), path),
  },
];

function checkPart(
  versions: readonly JsonObject[],
  { read, common, own, check }: Part,
): readonly FieldError[] {
  const [first, ...others] = versions;
  if (first === undefined) return [];
  if (others.every((each) => equalJson(read(each), read(first))))
    return check(read(first), first, `spec.${common}`);
  return versions.flatMap((each, i) => check(read(each), each, `spec.versions[${i}].${own}`));
}
