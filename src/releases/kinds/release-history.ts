import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { phases } from '#hooks/kinds/hook-run.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));
const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const count = (description: string) => Type.Optional(Type.Integer({ description, format: 'int64' }));

/** What a user requested or did, as it is recorded. */
export const RecordedAct = Type.Object(
  {
    id: text('Identifies the request.'),
    verb: text(
      'What was requested or changed: promote, abort, retry, pause, resume, undo, set image or restart.',
    ),
    step: count('Step at that time, from 1.'),
    by: text('User that the command reported. It is claimed, not proved.'),
    manager: text('Field manager that wrote the request, as recorded by the API server.'),
    time: time('When the request was written.'),
    reason: text('Reason that the user gave.'),
    result: Type.Optional(
      stringEnum(['Done', 'Ignored'], {
        description:
          'Done: the release did it. Ignored: the release was no longer in the state it was meant for.',
      }),
    ),
    message: text('What happened, in a sentence.'),
  },
  { description: 'A request of a user.' },
);

const RecordedVerdict = Type.Object(
  {
    step: Type.Integer({ description: 'Step of the hook, from 1.', format: 'int32' }),
    hookRun: Type.String({ description: 'Name of the HookRun.' }),
    phase: Type.Optional(stringEnum(phases, { description: 'Verdict of the HookRun.' })),
  },
  { description: 'Verdict of the hook of a step.' },
);

const releaseOutcomes = ['Progressing', 'Complete', 'Aborted', 'RolledBack', 'Replaced'] as const;

/** One release as it is kept in the status. */
export const ReleaseRecord = Type.Object(
  {
    releaseID: text('Identifies the release. Its HookRuns have it as the label boathook.dev/release.'),
    revision: Type.String({ description: 'ControllerRevision of the release.' }),
    images: Type.Optional(
      Type.Array(Type.String(), { description: 'Images of its containers, as name=image.', maxItems: 20 }),
    ),
    startTime: time('When the release started.'),
    startedBy: text(
      'Field manager that wrote the template, as recorded by the API server. Empty for the first.',
    ),
    endTime: time('When it ended. Empty while it is progressing.'),
    outcome: stringEnum(releaseOutcomes, {
      description:
        'Progressing: under way. Complete: all pods are updated. Aborted: pods were taken back to the stable revision. RolledBack: the template was set back to the stable revision. Replaced: a newer template replaced it.',
    }),
    cause: text('Reason of the outcome, in one word.'),
    message: text('Why it ended so.'),
    pausedSeconds: count('Seconds that it was paused.'),
    pausedSince: time('Start of the present pause.'),
    verdicts: Type.Optional(
      Type.Array(RecordedVerdict, { description: 'Verdicts of its hooks, the last 20.', maxItems: 20 }),
    ),
    acts: Type.Optional(
      Type.Array(RecordedAct, { description: 'Requests of users, the last 10.', maxItems: 10 }),
    ),
  },
  { description: 'A release.' },
);

/** The end of a promotion under way. */
export const Promotion = Type.Object(
  {
    toStep: Type.Integer({
      description: 'Index of the step at which the promotion ends, from 0; the number of steps for all.',
      format: 'int32',
      minimum: 0,
    }),
    skipHooks: Type.Optional(Type.Boolean({ description: 'Whether hooks of the steps are skipped.' })),
  },
  { description: 'Promotion past several steps: pauses before toStep are ended at once.' },
);

export type RecordedAct = Frozen<Static<typeof RecordedAct>>;
export type RecordedVerdict = Frozen<Static<typeof RecordedVerdict>>;
export type ReleaseRecord = Frozen<Static<typeof ReleaseRecord>>;
export type Promotion = Frozen<Static<typeof Promotion>>;
