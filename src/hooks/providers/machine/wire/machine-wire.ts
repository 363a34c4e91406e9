import { Type } from '#schema/kind/type.ts';
import { timeoutSeconds } from '#hooks/providers/wire/http-fields.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { optionalEnum, optionalList } from '#schema/kind/field.ts';

const schema = Type.Object(
  {
    cluster: Type.String({
      description: 'Name of the Cluster. {{ args.NAME }} is replaced.',
      minLength: 1,
      maxLength: 253,
    }),
    role: optionalEnum(
      ['master', 'worker'],
      'Role of the machines. Only workers that have joined are used. Default: master.',
    ),
    on: optionalEnum(
      ['first', 'all'],
      'first: the first machine. all: every machine, one after the other; conditions are evaluated on each result, and the worst phase counts. Default: first.',
    ),
    script: Type.String({
      description:
        'Path of the script on the machines; spec.features.files of the Cluster must deliver it. {{ args.NAME }} is replaced.',
      minLength: 1,
      maxLength: 4096,
    }),
    args: optionalList(
      Type.String({ description: 'An argument.', maxLength: 8192 }),
      'Arguments of the script, each passed unchanged. {{ args.NAME }} is replaced.',
      { maxItems: 100 },
    ),
    timeoutSeconds: timeoutSeconds(600),
  },
  {
    description:
      'Runs a script on machines of a Cluster. An exit code other than 0 or a timeout is a failure; otherwise the last line of the output is the result. The call waits for machines that are in use.',
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
