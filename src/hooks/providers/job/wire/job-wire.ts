import { Type } from '#schema/kind/type.ts';
import { timeoutSeconds } from '#hooks/providers/wire/http-fields.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { openObject } from '#schema/kind/field.ts';

const schema = Type.Object(
  {
    spec: openObject({ description: 'spec of the Job. {{ args.NAME }} is replaced in all strings.' }),
    timeoutSeconds: timeoutSeconds(600),
  },
  { description: 'Runs a Job in the namespace of the run. The call succeeds if the Job completes.' },
);

/** A Job in the namespace of the run. */
export const jobWire = defineProvider({
  schema,
  placeholders: ['spec'],
  lint: () => [],
  resultType: () => 'string',
  ignoresConditions: 'a Job succeeds when it completes',
  withoutCluster: 'never',
});

export type JobProvider = SpecOf<typeof jobWire>;
