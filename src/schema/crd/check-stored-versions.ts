import { at, isArray, isObject, listAt, textAt } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import type { KubeObject } from '#kube/object.ts';
import { dumpTexts, invalidAt, invalidDump } from './crd-error.ts';

const field = 'status.storedVersions';

/** No version may disappear while objects may still be stored in it. */
export function checkStoredVersions(crd: KubeObject): readonly FieldError[] {
  const list = at(crd, 'status', 'storedVersions');
  const stored = isArray(list) ? list : undefined;
  if (stored === undefined || stored.length === 0) {
    return [invalidDump(field, dumpTexts(stored), 'must have at least one stored version')];
  }
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const missing = versions
    .filter((each) => each['storage'] === true && !stored.includes(each['name'] ?? null))
    .map((each) =>
      invalidDump(field, dumpTexts(stored), `must have the storage version ${textAt(each, 'name') ?? ''}`),
    );
  const gone = stored.flatMap((name, i) => {
    if (versions.some((each) => each['name'] === name)) return [];
    const v = typeof name === 'string' ? name : '';
    const why =
      `missing from spec.versions; ${v} was previously a storage version, and must remain in spec.versions until a storage ` +
      `migration ensures no data remains persisted in ${v} and removes ${v} from status.storedVersions`;
    return [invalidAt(`${field}[${i}]`, name, why)];
  });
  return [...missing, ...gone];
}
