import { textAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { namespaceOf } from '#kube/object.ts';
import { textOf } from './edit.ts';
import { kindRules, type FieldValue, type KindRules } from './kind-rules.ts';

/** The first of several spellings: events have two forms, and both may be asked for either way. */
const either =
  (...paths: readonly (readonly string[])[]): FieldValue =>
  (event) => {
    for (const path of paths) {
      const found = textAt(event, ...path);
      if (found !== undefined) return found;
    }
    return '';
  };

const aboutKeys = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const about = (prefix: string): Readonly<Record<string, FieldValue>> =>
  Object.fromEntries(
    aboutKeys.map((key) => [`${prefix}.${key}`, either(['involvedObject', key], ['regarding', key])]),
  );

const reporter = either(['reportingComponent'], ['reportingController']);

const selectableFields: Readonly<Record<string, FieldValue>> = {
  ...about('involvedObject'),
  ...about('regarding'),
  reason: either(['reason']),
  reportingComponent: reporter,
  reportingController: reporter,
  source: (event) => textAt(event, 'source', 'component') || reporter(event),
  type: either(['type']),
};

/** An event lives beside what it is about; events about the cluster live in `default`. */
function check(event: JsonObject): FieldError[] {
  const namespace = namespaceOf(event);
  const key = event['regarding'] === undefined ? 'involvedObject' : 'regarding';
  const about = textOf(textAt(event, key, 'namespace'));
  const fits = about === '' ? namespace === '' || namespace === 'default' : about === namespace;
  return fits ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

export const eventRules: KindRules = kindRules({
  validateCreate: check,
  validateUpdate: check,
  allowCreateOnUpdate: true,
  metaOnUpdate: 'none',
  selectableFields,
});
