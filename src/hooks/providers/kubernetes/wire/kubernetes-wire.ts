import { Type } from '#schema/kind/type.ts';
import { jsonPathFindings } from '#hooks/providers/wire/http-fields.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { optionalString, stringEnum } from '#schema/kind/field.ts';

const functions = ['get', 'patch'] as const;

const schema = Type.Object(
  {
    function: stringEnum(functions, {
      description: 'get: reads fields and compares them. patch: writes them.',
    }),
    target: Type.Optional(
      Type.Object(
        {
          apiVersion: optionalString('API version of the object. Default: v1.', { maxLength: 256 }),
          kind: optionalString('Kind of the object. Default: Pod.', { maxLength: 63 }),
          name: optionalString('Name of the object. Default: the argument PodName.', { maxLength: 253 }),
          namespace: optionalString(
            'Namespace of the object. Default: the argument PodNamespace, or else the namespace of the run.',
            { maxLength: 63 },
          ),
        },
        { description: 'The object to read or write. {{ args.NAME }} is replaced.' },
      ),
    ),
    fields: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'metadata.annotations.KEY, or a JSONPath in the syntax of kubectl: {.status.phase}.',
          minLength: 1,
          maxLength: 4096,
        }),
        value: optionalString('get: expected value. patch: new value. {{ args.NAME }} is replaced.', {
          maxLength: 65_536,
        }),
      }),
      {
        description:
          'Fields to read or write, in order, up to the first problem. The result is the value of the last one.',
        minItems: 1,
        maxItems: 32,
      },
    ),
  },
  { description: 'Reads or writes an object of the cluster, with the permissions of serviceAccountName.' },
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
  const message = `this version does not support the function ${name}: update the controller, or choose get or patch`;
  return [{ severity: 'error', path: 'function', message }];
}
