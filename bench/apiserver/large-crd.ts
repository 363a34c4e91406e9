import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import type { Ask } from './connection.ts';
import { podSpec } from './objects.ts';
import { podTemplateSchema } from './pod-schema.ts';

const group = 'bench.example.com';
const wantedBytes = 570_000;

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** As many roles of a fleet, each with a pod template of its own, as make a definition of the wanted size. */
export function fleetSchema(): JsonObject {
  const role = {
    type: 'object',
    properties: { replicas: { type: 'integer', format: 'int32', default: 1 }, template: podTemplateSchema() },
  };
  const roleBytes = JSON.stringify(role).length + '"role0":,'.length;
  const roles: MutableJsonObject = {};
  for (let number = 0; (number + 1) * roleBytes <= wantedBytes; number++) roles[`role${number}`] = role;
  const description = 'x'.repeat(wantedBytes % roleBytes);
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: { type: 'object', description, properties: roles },
    },
  };
}

/** The definition of the kind with this number: all alike, but for their names. */
export function createLargeCrd(number: number, schema: JsonObject): Ask {
  const plural = `fleets${number}`;
  const body = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: `fleet${number}`, kind: `Fleet${number}`, listKind: `Fleet${number}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  return { method: 'POST', path: definitionsPath, body };
}

/** An object of such a kind as people write them: one role, a pod of three containers. */
export const fleet: JsonObject = {
  apiVersion: `${group}/v1`,
  kind: 'Fleet0',
  metadata: { name: 'north', namespace: 'bench', labels: { app: 'shop' } },
  spec: {
    role0: {
      template: {
        metadata: { labels: { app: 'shop' } },
        spec: podSpec('shop', 0, ['server', 'proxy', 'metrics']),
      },
    },
  },
};
