import { Type } from '#schema/kind/type.ts';
import { jsonPathFindings } from '#hooks/providers/wire/http-fields.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { stringEnum } from '#schema/kind/field.ts';

const functions = ['get', 'patch'] as const;

const schema = Type.Object(
  {
    function: stringEnum(functions, { description: 'Read fields and compare them, or write them.' }),
    target: Type.Optional(
      Type.Object(
        {
          apiVersion: Type.Optional(Type.String({ description: 'v1 unless given.', maxLength: 256 })),
          kind: Type.Optional(Type.String({ description: 'Pod unless given.', maxLength: 63 })),
          name: Type.Optional(Type.String({ description: 'args.PodName unless given.', maxLength: 253 })),
          namespace: Type.Optional(
            Type.String({ description: 'args.PodNamespace, else that of the run.', maxLength: 63 }),
          ),
        },
        { description: 'Which object; {{ args.NAME }} is filled in.' },
      ),
    ),
    fields: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'metadata.annotations.KEY, or a path as kubectl writes it: {.status.phase}.',
          minLength: 1,
          maxLength: 4096,
        }),
        value: Type.Optional(
          Type.String({
            description: 'get: what it must be. patch: what it becomes. {{ args.NAME }} is filled in.',
            maxLength: 65_536,
          }),
        ),
      }),
      {
        description: 'In order; the first problem ends it. Conditions see the last one read.',
        minItems: 1,
        maxItems: 32,
      },
    ),
  },
  { description: 'Read or write an object of the cluster.' },
);

/** An object of the cluster, accessed as a ServiceAccount of the namespace of the run. */
export const kubernetesWire = defineProvider({
  schema,
  placeholders: ['target', 'fields[].value'],
  lint: ({ function: name, fields }) => [
    ...unknownFunction(name),
    ...fields.flatMap(({ path }, i) =>
      path.includes('{') ? jsonPathFindings(`fields[${i}].path`, path) : [],
    ),
  ],
  resultType: () => 'string',
  withoutCluster: 'fixture',
});

export type KubernetesProvider = SpecOf<typeof kubernetesWire>;

/** A function of a newer version must not be taken for a patch. */
function unknownFunction(name: string): readonly Finding[] {
  if (functions.some((each) => each === name)) return [];
  const message = `this version does not know the function ${name}: update the controller, or choose get or patch`;
  return [{ severity: 'error', path: 'function', message }];
}
