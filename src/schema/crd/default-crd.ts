import {
  equalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { tidySchema } from './tidy-schema.ts';

/** A CustomResourceDefinition with its defaults filled in and empty members left out, as the server stores it. */
export function defaultCrd(crd: KubeObject): KubeObject {
  const spec = isObject(crd['spec']) ? crd['spec'] : {};
  const defaulted: MutableJsonObject = {
    ...withoutEmpty(spec, ['preserveUnknownFields']),
    group: spec['group'] ?? '',
    names: defaultNames(isObject(spec['names']) ? spec['names'] : {}),
    scope: spec['scope'] ?? '',
    versions: isArray(spec['versions']) ? spec['versions'].map(defaultVersion) : null,
    conversion: defaultConversion(spec['conversion']),
  };
  return equalJson(defaulted, spec) ? crd : { ...crd, spec: defaulted };
}

function defaultNames(names: JsonObject): JsonObject {
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  const defaulted: MutableJsonObject = {
    ...withoutEmpty(names, ['singular', 'listKind', 'shortNames', 'categories']),
    plural: names['plural'] ?? '',
    kind,
  };
  if (kind === '') return defaulted;
  defaulted['singular'] ??= kind.toLowerCase();
  defaulted['listKind'] ??= `${kind}List`;
  return defaulted;
}

const optionalOfVersion = ['deprecated', 'additionalPrinterColumns', 'selectableFields', 'subresources'];

function defaultVersion(version: Json): Json {
  if (!isObject(version)) return version;
  const defaulted: MutableJsonObject = {
    ...withoutEmpty(version, optionalOfVersion),
    name: version['name'] ?? '',
    served: version['served'] ?? false,
    storage: version['storage'] ?? false,
  };
  const schema = version['schema'];
  if (isObject(schema) && schema['openAPIV3Schema'] !== undefined) {
    defaulted['schema'] = { ...schema, openAPIV3Schema: tidySchema(schema['openAPIV3Schema']) };
  }
  return defaulted;
}

function defaultConversion(conversion: Json | undefined): Json {
  if (!isObject(conversion)) return { strategy: 'None' };
  const webhook = conversion['webhook'];
  const client = isObject(webhook) ? webhook['clientConfig'] : undefined;
  const service = isObject(client) ? client['service'] : undefined;
  const strategy = conversion['strategy'] ?? '';
  if (!isObject(webhook) || !isObject(client) || !isObject(service)) return { ...conversion, strategy };
  const withPort = { ...service, port: service['port'] ?? 443 };
  return { ...conversion, strategy, webhook: { ...webhook, clientConfig: { ...client, service: withPort } } };
}

/** Without those of the named members that are null, false, or empty texts and lists. */
function withoutEmpty(object: JsonObject, names: readonly string[]): MutableJsonObject {
  const copy: MutableJsonObject = { ...object };
  for (const name of names) {
    const value = copy[name];
    const empty = value === null || value === false || value === '' || (isArray(value) && value.length === 0);
    if (empty) delete copy[name];
  }
  return copy;
}
