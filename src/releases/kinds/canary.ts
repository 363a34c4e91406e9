import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import { intOrString, stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { Arg } from '#hooks/kinds/metric.ts';

/** Text of a field that is a part of replicas. */
export const portion = {
  matches: '^(100|[0-9]{1,2})%$',
  message: 'must be a whole number of at least 0 or a percentage from 0% to 100%, such as 25%',
};

const hookFields = {
  templateName: Type.String({
    description: 'The HookTemplate, in the same namespace.',
    minLength: 1,
    maxLength: 253,
  }),
  args: Type.Optional(
    Type.Array(Arg, {
      description: 'Values for its args; what the controller injects counts more.',
      maxItems: 100,
    }),
  ),
};

/** A question to ask. */
export const HookRef = Type.Object(hookFields, { description: 'The question to ask.' });

const StepHook = Type.Object(
  {
    ...hookFields,
    onFailure: Type.Optional(
      stringEnum(['Pause', 'Abort'], {
        description:
          'After a bad verdict: Pause waits for a person; Abort takes the updated pods back to the stable revision. Pause unless given.',
      }),
    ),
  },
  { description: 'Ask a hook; go on when its verdict is good.' },
);

const Pause = Type.Object(
  {
    duration: Type.Optional(
      intOrString({
        description:
          'How long: seconds, or a span such as 5m. Until a person sets paused to false unless given.',
        text: {
          matches: durationPattern,
          message: 'must be a number of seconds of at least 0 or a duration such as 90s, 5m or 1h30m',
        },
        minimum: 0,
        maxLength: 40,
      }),
    ),
  },
  { description: 'Wait: for a while, or for a person.' },
);

const Step = Type.Object(
  {
    partition: Type.Optional(
      intOrString({
        description:
          'Update until so many pods (or this share of replicas, rounded up) are left on old revisions.',
        text: portion,
        minimum: 0,
        maxLength: 4,
      }),
    ),
    pause: Type.Optional(Pause),
    hook: Type.Optional(StepHook),
  },
  {
    description: 'One of partition, pause and hook.',
    'x-kubernetes-validations': [
      {
        rule: '[has(self.partition), has(self.pause), has(self.hook)].filter(given, given).size() == 1',
        message: 'a step has exactly one of partition, pause and hook',
      },
    ],
  },
);

export const Canary = Type.Object(
  {
    steps: Type.Array(Step, {
      description: 'What happens one after another when the template changes.',
      maxItems: 100,
    }),
    holdOnUnready: Type.Optional(
      Type.Boolean({
        description:
          'Whether no step ends while pods that the release has updated are not ready. A person who resumes a pause goes past it. True unless given.',
      }),
    ),
  },
  { description: 'Release in steps.' },
);

export type CanaryStepSpec = Frozen<Static<typeof Step>>;
export type StepHook = Frozen<Static<typeof StepHook>>;
export type HookRef = Frozen<Static<typeof HookRef>>;
