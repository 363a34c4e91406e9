import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ReplyError } from './reply.ts';

/** The reply is invalid. Thrown and caught while a reply is decoded, nowhere else. */
export class Malformed extends Error {
  readonly reason: 'REPLYINVALID' | 'PATCHINVALID';
  constructor(message: string, reason: Malformed['reason'] = 'REPLYINVALID') {
    super(message);
    this.name = 'Malformed';
    this.reason = reason;
  }
}

const typeName = (value: Json): string =>
  value === null ? 'null' : isArray(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`;

/** The member; undefined when it is missing or null. */
export const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;

export function asObject(value: Json, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new Malformed(`${where} must be an object, not ${typeName(value)}`);
}

export function asList(value: Json, where: string): readonly Json[] {
  if (isArray(value)) return value;
  throw new Malformed(`${where} must be a list, not ${typeName(value)}`);
}

export function asText(value: Json, where: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(`${where} must be a string, not ${typeName(value)}`);
}

/** true or false, also as strings: the first manifests show them so. */
export function asTruth(value: Json, where: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Malformed(`${where} must be true or false, not ${printJson(value).slice(0, 50)}`);
}

const longestMessage = 1024;
const unsaid = 'the hook reports an error without a message';

/** An error in any spelling. Defaults: halt, not permanent. */
export function readError(error: JsonObject, where: string): ReplyError {
  const truth = (name: string): boolean | undefined => {
    const value = member(error, name);
    return value === undefined ? undefined : asTruth(value, `${where}.${name}`);
  };
  const message = asText(member(error, 'message') ?? '', `${where}.message`);
  const goesOn = truth('continue');
  const halt = truth('halt');
  return {
    message: message.trim() === '' ? unsaid : message.slice(0, longestMessage),
    permanent: truth('permanent') ?? truth('permantent') ?? false,
    // When `halt` and `continue` contradict each other, halt.
    halt: (halt ?? true) ? goesOn !== true || halt === true : goesOn === false,
  };
}
