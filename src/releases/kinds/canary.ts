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
    description: 'Name of the HookTemplate in the same namespace.',
    minLength: 1,
    maxLength: 253,
  }),
  args: Type.Optional(
    Type.Array(Arg, {
      description:
        'Values for the args of the HookTemplate. Values that the controller injects override them.',
      maxItems: 100,
    }),
  ),
};

/** A question to ask. */
export const HookRef = Type.Object(hookFields, { description: 'The hook to run.' });

const StepHook = Type.Object(
  {
    ...hookFields,
    onFailure: Type.Optional(
      stringEnum(['Pause', 'Abort'], {
        description:
          'What happens when the hook fails. Pause: the release pauses until it is promoted, retried or aborted, or paused is set to false. Abort: updated pods go back to the stable revision. Default: Pause.',
      }),
    ),
  },
  { description: 'Runs a hook. The step ends when the hook passes.' },
);

const Pause = Type.Object(
  {
    duration: Type.Optional(
      intOrString({
        description:
          'Duration of the pause: a number of seconds, or text such as 5m. Default: until the release is promoted or paused is set to false.',
        text: {
          matches: durationPattern,
          message: 'must be a number of seconds of at least 0 or a duration such as 90s, 5m or 1h30m',
        },
        minimum: 0,
        maxLength: 40,
      }),
    ),
  },
  { description: 'Pauses the release for a duration, or until it is promoted or paused is set to false.' },
);

const Step = Type.Object(
  {
    partition: Type.Optional(
      intOrString({
        description:
          'Number of pods that stay on old revisions, or percentage of replicas, rounded up. The step ends when the other pods are updated and ready.',
        text: portion,
        minimum: 0,
        maxLength: 4,
      }),
    ),
    pause: Type.Optional(Pause),
    hook: Type.Optional(StepHook),
  },
  {
    description: 'A step: exactly one of partition, pause and hook.',
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
      description: 'Steps of a release, in order. A new template starts at the first step.',
      maxItems: 100,
    }),
    holdOnUnready: Type.Optional(
      Type.Boolean({
        description:
          'Whether no step ends while updated pods are not ready. A promotion, or paused set to false at a pause, continues anyway. Default: true.',
      }),
    ),
  },
  { description: 'Releases in steps.' },
);

export type CanaryStepSpec = Frozen<Static<typeof Step>>;
export type StepHook = Frozen<Static<typeof StepHook>>;
export type HookRef = Frozen<Static<typeof HookRef>>;
