import { textAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { namespaceOf } from '#kube/object.ts';
import { textOf } from '#base/json-edit.ts';
import { kindRules, type FieldValue, type KindRules } from './kind-rules.ts';

/** The first of several spellings: an event may come in either of its forms. */
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

/** The two forms of an event are selected by the names of their own fields. */
const coreFields: Readonly<Record<string, FieldValue>> = {
  ...about('involvedObject'),
  reason: either(['reason']),
  reportingComponent: reporter,
  source: (event) => textAt(event, 'source', 'component') || reporter(event),
  type: either(['type']),
};
const eventFields: Readonly<Record<string, FieldValue>> = {
  ...about('regarding'),
  reason: either(['reason']),
  reportingController: reporter,
  type: either(['type']),
};

/** An event is in the namespace of its object; events about cluster-scoped objects are in `default`. */
function check(event: JsonObject): FieldError[] {
  const namespace = namespaceOf(event);
  const key = event['regarding'] === undefined ? 'involvedObject' : 'regarding';
  const about = textOf(textAt(event, key, 'namespace'));
  const fits = about === '' ? namespace === '' || namespace === 'default' : about === namespace;
  return fits ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

const eventRules = (selectableFields: Readonly<Record<string, FieldValue>>): KindRules =>
  kindRules({
    validateCreate: check,
    validateUpdate: check,
    allowCreateOnUpdate: true,
    metaOnUpdate: 'none',
    selectableFields,
  });

export const coreEventRules: KindRules = eventRules(coreFields);
export const newEventRules: KindRules = eventRules(eventFields);
