import { Type } from '#schema/kind/type.ts';
import { timeoutSeconds } from '#hooks/providers/wire/http-fields.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { openObject } from '#schema/kind/field.ts';

const schema = Type.Object(
  {
    spec: openObject({ description: 'The spec of the Job; {{ args.NAME }} is filled in inside its texts.' }),
    timeoutSeconds: timeoutSeconds(600),
  },
  { description: 'Run a Job in the namespace of the run; it succeeds when the Job completes.' },
);

/** A Job in the namespace of the run. */
export const jobWire = defineProvider({
  schema,
  placeholders: ['spec'],
  lint: () => [],
  resultType: () => 'string',
  ignoresConditions: 'a Job is judged by its end',
  withoutCluster: 'never',
});

export type JobProvider = SpecOf<typeof jobWire>;
