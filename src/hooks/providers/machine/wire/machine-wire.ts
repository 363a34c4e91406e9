import { Type } from '#schema/kind/type.ts';
import { timeoutSeconds } from '#hooks/providers/wire/http-fields.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { stringEnum } from '#schema/kind/field.ts';

const schema = Type.Object(
  {
    cluster: Type.String({
      description: 'The Cluster whose machines are meant; {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 253,
    }),
    role: Type.Optional(
      stringEnum(['master', 'worker'], {
        description: 'Which of its machines; of workers those that have joined. master unless given.',
      }),
    ),
    on: Type.Optional(
      stringEnum(['first', 'all'], {
        description:
          'On the first of them, or on all, one after the other: then conditions are asked of each result, and the worst counts. first unless given.',
      }),
    ),
    script: Type.String({
      description:
        'A script that spec.features.files of the Cluster delivers: its path on the machines. {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 4096,
    }),
    args: Type.Optional(
      Type.Array(Type.String({ description: 'One argument.', maxLength: 8192 }), {
        description: 'Its arguments, each whole; {{ args.NAME }} is filled in.',
        maxItems: 100,
      }),
    ),
    timeoutSeconds: timeoutSeconds(600),
  },
  {
    description:
      'Run a script on machines of a Cluster. Another exit code than 0, or taking too long, is a failure; otherwise the last line that it prints is the result. Machines in use are waited for.',
  },
);

/** A script on machines of a Cluster. */
export const machineWire = defineProvider({
  schema,
  placeholders: ['cluster', 'script', 'args'],
  lint: () => [],
  resultType: () => 'string',
  withoutCluster: 'never',
});

export type MachineProvider = SpecOf<typeof machineWire>;
