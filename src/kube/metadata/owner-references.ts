import { isArray, isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, invalid, type FieldError } from '#kube/field-error.ts';
import { goOwnerReferences, invalidAs } from './go-values.ts';

const field = 'metadata.ownerReferences';

/** Each owner is named completely, and only one of them is the controller. */
export function checkOwnerReferences(value: Json | undefined, errors: FieldError[]): void {
  if (!isArray(value) || value.length === 0) return;
  const owners = value.filter(isObject);
  for (const owner of owners) {
    if (errors.length >= enoughErrors) return;
    checkOwner(owner, errors);
  }
  const [first, ...others] = owners.filter((owner) => owner['controller'] === true).map(label);
  if (others.length === 0) return;
  // Once for all of them: it is as long as the list.
  const quoted = goOwnerReferences(owners);
  for (const second of others.slice(0, enoughErrors)) {
    const text = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
    errors.push(invalidAs(field, quoted, text));
  }
}

const label = (owner: JsonObject): string => `${textAt(owner, 'kind') ?? ''}/${textAt(owner, 'name') ?? ''}`;

const mustHave = [
  ['apiVersion', 'version must not be empty'],
  ['kind', 'kind must not be empty'],
  ['name', 'name must not be empty'],
  ['uid', 'uid must not be empty'],
] as const;

function checkOwner(owner: JsonObject, errors: FieldError[]): void {
  for (const [key, text] of mustHave) {
    const value = textAt(owner, key) ?? '';
    if (value === '') errors.push(invalid(`${field}.${key}`, value, text));
  }
  if (
    owner['kind'] === 'Event' &&
    (owner['apiVersion'] === 'v1' || owner['apiVersion'] === 'events.k8s.io/v1')
  ) {
    errors.push(
      invalidAs(field, goOwnerReferences([owner]), '/v1, Kind=Event is disallowed from being an owner'),
    );
  }
}
