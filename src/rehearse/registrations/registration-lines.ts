import { harmlessText } from '#base/harmless-text.ts';
import type { DiffLine } from '#base/line-diff.ts';
import { tableLines } from '#base/text-table.ts';
import { countText } from '#base/text.ts';
import type { NoteSection } from '#rehearse/report-lines.ts';
import { clockText, spanText } from '#rehearse/span-text.ts';
import type {
  InstanceResult,
  RegistrationReport,
  RehearsedChild,
  RehearsedHookCall,
  RehearsedInstance,
} from './registration-report.ts';

/** A report as text. */
export function registrationLines(report: RegistrationReport): readonly string[] {
  const { calls, instances } = report;
  return [
    registrationTitle(report),
    registrationSubtitle(report),
    '',
    ...tableLines(instances.map((each) => ['', each.title, instanceText(each)])).map((line) => line.slice(2)),
    ...instances.flatMap((each) => each.children.flatMap(diffLines)),
    ...(calls.length === 0 ? [] : ['', 'Calls of hooks:']),
    ...tableLines(calls.map((call) => [clockText(call.at).padStart(9), ...callCells(call)])),
    '',
    registrationOutcomeText(report),
    ...registrationNotes(report).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}

export const registrationTitle = ({ edits }: RegistrationReport): string =>
  `Rehearsal of ${edits.join(', ')}`;

export const registrationSubtitle = ({ instances, calls, seed }: RegistrationReport): string =>
  `${countText(instances.length, 'instance')}, ${countText(calls.length, 'hook call')}, seed ${seed}`;

const resultTexts: Readonly<Record<InstanceResult, string>> = {
  unchanged: 'stays as it is',
  changed: 'its children change, its pods stay',
  rolls: 'replaces its pods',
  created: 'is created',
  removed: 'is removed',
  waits: 'waits',
  fails: 'fails',
};

/** What an instance becomes, in words. */
export function instanceText(instance: RehearsedInstance): string {
  const { result, message, isOld, podsBefore, podsReplaced, lowestReady } = instance;
  const pods =
    podsReplaced > 0
      ? ` (${podsReplaced} of ${countText(podsBefore, 'pod')} replaced, at least ${lowestReady} ready)`
      : '';
  const why = message === undefined ? '' : `${isOld === true ? ', as before' : ''}: ${message}`;
  return `${resultTexts[result]}${pods}${why}`;
}

const changeTexts: Readonly<Record<RehearsedChild['change'], string>> = {
  same: 'is the same',
  changed: 'changes',
  created: 'is created',
  removed: 'is removed',
};

export const childText = ({ title, change }: RehearsedChild): string => `${title} ${changeTexts[change]}`;

const marks: Readonly<Record<DiffLine['type'], string>> = { same: ' ', removed: '-', added: '+' };

/** A line of a comparison as `diff -u` prints it. */
export const markedLine = ({ type, text }: DiffLine): string => `${marks[type]} ${text}`;

/** Objects that are created or removed are named, not printed. */
function diffLines(child: RehearsedChild): readonly string[] {
  if (child.change === 'same') return [];
  if (child.change !== 'changed') return ['', `${childText(child)}.`];
  return [
    '',
    `${childText(child)}:`,
    ...child.diff.flatMap(({ header, lines }) => [header, ...lines.map(markedLine)]),
  ];
}

export const callCells = ({
  registration,
  instance,
  phase,
  status,
}: RehearsedHookCall): readonly string[] => [`${registration}, ${phase}`, instance, status];

export function registrationOutcomeText({ outcome, seconds, instances }: RegistrationReport): string {
  const rolling = instances.filter(({ result }) => result === 'rolls').length;
  switch (outcome.type) {
    case 'Completes':
      return `The edit would complete after ${spanText(seconds)} and replace the pods of ${rolling} of ${countText(instances.length, 'instance')}.`;
    case 'Fails':
      return `The edit would fail: ${outcome.message}`;
    case 'Waits':
      return `The edit would wait: ${outcome.message}`;
    case 'ReachesHorizon':
      return `The edit would not end within ${spanText(seconds)}: ${outcome.message}`;
  }
}

/** What a reader must know beside the instances. */
export const registrationNotes = ({
  registrations,
  assumptions,
  warnings,
  notRun,
}: RegistrationReport): readonly NoteSection[] =>
  [
    {
      title: 'Registrations that are not ready',
      lines: registrations
        .filter(({ isReady }) => !isReady)
        .map(
          ({ name, reason, message }) =>
            `${name}: ${[reason, message].filter((each) => each !== '').join(': ')}`,
        ),
    },
    { title: 'Assumed', lines: assumptions },
    { title: 'Warnings', lines: warnings },
    { title: 'Not run here', lines: notRun },
  ].filter(({ lines }) => lines.length > 0);
