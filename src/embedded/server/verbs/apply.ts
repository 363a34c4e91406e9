import { isObject, textAt, without, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { isTooDeep } from '#base/json-depth.ts';
import { applyServerSide } from '#embedded/server/managed-fields/apply.ts';
import type { ApiResponse } from '#kube/http.ts';
import {
  metaOf,
  nameOf as objectName,
  namespaceOf as objectNamespace,
  uidOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { badRequest, conflict } from '#kube/status.ts';
import { keyOf, nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import type { Format } from '#embedded/server/request/negotiate.ts';
import { flag } from '#embedded/server/request/request-options.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { createObject } from '#embedded/server/write/create-object.ts';
import { tooDeep } from '#embedded/server/write/decode.ts';
import { unwritten, zeroOf } from '#embedded/server/write/ownership.ts';
import { readText } from '#embedded/server/write/read-body.ts';
import { updateObject, wrongNamespace } from '#embedded/server/write/update-object.ts';
import { warnOf } from '#embedded/server/write/warn.ts';
import { writeParts, type WriteRequestOptions } from '#embedded/server/write/write-options.ts';
import { commit } from './create.ts';
import { missing, objectAnswer } from './get.ts';

/** Server-side apply to an object or its status. */
export async function apply(
  context: ServerContext,
  call: Call,
  options: WriteRequestOptions,
  format: Format,
): Promise<ApiResponse> {
  const applied = placed(call, await appliedBody(context, call));
  let status = 200;
  const write = (transaction: Transaction): Stored => {
    const stored = transaction.get(call.resource.storage, keyOf(call));
    if (stored !== undefined) return applyToLive(context, transaction, { call, applied, options, stored });
    if ((call.target.subresource ?? '') !== '') throw missing(call);
    status = 201;
    return applyNew(context, transaction, { call, applied, options });
  };
  const stored = await commit(context, options.dryRun, write);
  warnOf(call, stored);
  return objectAnswer(context, call, { status, stored, format });
}

/** The applied configuration: YAML, of which JSON is a part. */
export async function appliedBody(context: ServerContext, call: Call): Promise<JsonObject> {
  const text = await readText(call.request);
  const { value, duplicates } = parsed(context, text);
  call.warnings.push(...duplicates);
  if (!isObject(value)) throw badRequest('error decoding YAML: the body must be an object');
  return value;
}

type Parsed = { readonly value: Json; readonly duplicates: readonly string[] };

function parsed(context: ServerContext, text: string): Parsed {
  if (isTooDeep(text)) throw badRequest(tooDeep);
  try {
    return { value: parseJson(text), duplicates: [] };
  } catch {
    return parsedYaml(context, text);
  }
}

function parsedYaml(context: ServerContext, text: string): Parsed {
  try {
    return context.yaml.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not YAML';
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`);
  }
}

/** The configuration must name the object of the URL. */
function placed(call: Call, applied: JsonObject): KubeObject {
  const name = objectName(applied);
  if (name !== '' && name !== nameOf(call)) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${nameOf(call)})`);
  }
  const namespace = objectNamespace(applied);
  if (call.resource.namespaced && namespace !== '' && namespace !== namespaceOf(call)) throw wrongNamespace();
  return applied;
}

type Applying = { readonly call: Call; readonly applied: KubeObject; readonly options: WriteRequestOptions };

function merge(
  context: ServerContext,
  { call, applied, options }: Applying,
  live: KubeObject | undefined,
): KubeObject {
  const { resource } = call;
  const subresource = call.target.subresource ?? '';
  return applyServerSide({
    shape: resource.shape(),
    live,
    applied,
    manager: options.manager,
    force: flag(call.query, 'force'),
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    subresource,
    now: context.clock.now(),
    zero: zeroOf(resource),
    ignore: unwritten(resource, subresource),
  }).object;
}

function applyNew(context: ServerContext, transaction: Transaction, applying: Applying): Stored {
  const { call, options } = applying;
  const merged = merge(context, applying, undefined);
  refuseUid(call, merged);
  const object = {
    ...merged,
    metadata: { ...without(metaOf(merged), 'resourceVersion'), name: nameOf(call) },
  };
  return createObject(context, transaction, { ...writeParts(call, options), object, track: untracked });
}

/** The configuration is for an object that does not exist any more. */
function refuseUid(call: Call, applied: KubeObject): void {
  const { group, plural } = call.resource;
  const uid = uidOf(applied);
  if (uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict({ group, resource: plural }, nameOf(call), why);
}

function applyToLive(
  context: ServerContext,
  transaction: Transaction,
  applying: Applying & { readonly stored: Stored },
): Stored {
  const { call, applied, options, stored } = applying;
  const revision = textAt(applied, 'metadata', 'resourceVersion') ?? '';
  const next = (live: KubeObject): KubeObject => {
    const merged = merge(context, applying, live);
    return revision === '' ? merged : withMeta(merged, { resourceVersion: revision });
  };
  return updateObject(context, transaction, {
    ...writeParts(call, options),
    stored,
    next,
    needsRevision: false,
    track: untracked,
  });
}

/** `merge` has written managedFields already. */
const untracked = (object: KubeObject): KubeObject => object;
