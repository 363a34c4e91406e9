import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { asList, asObject, asText, Malformed, member } from './reply-parts.ts';

const maxVariables = 1000;
const namePattern = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const sources = ['configMapKeyRef', 'secretKeyRef', 'fieldRef', 'resourceFieldRef'];

/** Variables in the form of a container; `key` is an alias of `name`. */
export function readEnvVars(value: Json, where: string): readonly JsonObject[] {
  const list = asList(value, where);
  if (list.length > maxVariables) throw new Malformed(`${where} has more than ${maxVariables} items`);
  return list.map((each, i) => readVariable(asObject(each, `${where}[${i}]`), `${where}[${i}]`));
}

function readVariable(variable: JsonObject, where: string): JsonObject {
  const name = asText(member(variable, 'name') ?? member(variable, 'key') ?? '', `${where}.name`);
  if (!namePattern.test(name))
    throw new Malformed(`${where}.name ${JSON.stringify(name.slice(0, 50))} is not the name of a variable`);
  const from = member(variable, 'valueFrom');
  const value = member(variable, 'value');
  if (from === undefined) return { name, value: asText(value ?? '', `${where}.value`) };
  if (value !== undefined && value !== '') throw new Malformed(`${where} has value and valueFrom`);
  const keys = isObject(from) ? Object.keys(from) : [];
  if (keys.length !== 1 || !sources.includes(keys[0] ?? ''))
    throw new Malformed(`${where}.valueFrom must have one of ${sources.join(', ')}`);
  return { name, valueFrom: from };
}
