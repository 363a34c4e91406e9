import { expect, test } from 'vitest';
import { at, isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseYaml } from '#edge/yaml.ts';
import { compileSchema, type CompiledSchema } from '#schema/structural/compile-schema.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { readProjectFile } from '../support/project-files.ts';
import type { Asked } from '../support/reconcile-hook.ts';
import {
  conditionsOf,
  definitions,
  deployments,
  envOf,
  kuards,
  openRegistrationWorld,
  registrations,
} from '../support/registration-world.ts';

const [document = null] = parseYaml(readProjectFile('docs/reference/reconcile-hook.openapi.yaml'));

/** The schema with everything that it refers to. */
function whole(schema: Json): Json {
  if (isArray(schema)) return schema.map(whole);
  if (!isObject(schema)) return schema;
  const ref = textAt(schema, '$ref');
  if (ref !== undefined) return whole(at(document, ...ref.slice(2).split('/')) ?? null);
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, whole(each)]));
}

const bodySchema = (of: Json | undefined): CompiledSchema =>
  compileSchema(whole(at(of, 'content', 'application/json', 'schema') ?? null) as JsonObject);

type Operations = Readonly<Record<string, (body: JsonObject) => JsonObject>>;

/** A server made of the document alone, as a generator makes one: who is called, with what, and what may come back. */
function madeFrom(operations: Operations, complaints: string[]): (asked: Asked) => JsonObject {
  const operation = objectAt(document, 'paths', '/', 'post');
  const request = bodySchema(at(operation, 'requestBody'));
  const reply = bodySchema(at(operation, 'responses', '200'));
  const known = listAt(operation, 'parameters').map((each) => textAt(each, 'name') ?? '');
  const handle = operations[textAt(operation, 'operationId') ?? ''];
  if (handle === undefined) throw new Error('nobody handles the operation');
  return ({ body, headers }) => {
    const strange = Object.keys(headers).filter((name) => name.startsWith('x-') && !known.includes(name));
    const said = handle(body);
    complaints.push(
      ...strange,
      ...request.validate(body).map(({ field, message }) => `${field}: ${message}`),
      ...request.unknownFieldPaths({ ...body, object: null, rendered: [], observed: [], children: {} }),
      ...reply.validate(said).map(({ field, message }) => `${field}: ${message}`),
    );
    return said;
  };
}

test.for(['reference', 'full'] as const)(
  'requests with payload %s match the document, and its server is understood',
  async (payload) => {
    const complaints: string[] = [];
    await using world = await openRegistrationWorld();
    world.hook.answer = madeFrom(
      {
        reconcile: (body) =>
          body['phase'] === 'pre-reconcile'
            ? {
                envVars: [{ name: 'FROM_DOCUMENT', value: 'yes' }],
                status: { conditions: [{ type: 'KuardReady', status: 'True' }] },
              }
            : body['phase'] === 'post-reconcile'
              ? { patches: [{ main: { metadata: { annotations: { a: 'b' } } } }] }
              : {},
      },
      complaints,
    );
    await world.make(definitions, definition());
    await world.make(
      registrations,
      registration({
        parameters: { addEnvsFromHook: ['*'] },
        status: { conditionsFromHook: [{ type: 'KuardReady' }] },
        hook: hookAt(world.hook.url, { payload }),
      }),
    );
    await world.make(kuards, kuard());
    await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
    expect(envOf(await world.get(deployments, 'kuard-my-kuard'))).toMatchObject({ FROM_DOCUMENT: 'yes' });
    await world.remove(kuards, 'my-kuard');
    await world.settle();
    expect(new Set(world.hook.phases())).toEqual(new Set(['pre-reconcile', 'post-reconcile', 'finalize']));
    expect(complaints).toEqual([]);
    expect(await world.get(kuards, 'my-kuard')).toBeUndefined();
  },
);
