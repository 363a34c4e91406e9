import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import type { NamespacedFlags } from '#command/in-cluster.ts';
import { parseSpan } from '#embedded/nodes/tuning/span.ts';
import { readReplies } from '#hooks/cli/fixture.ts';
import type { RehearsedAnswer } from './hook-answers.ts';
import { hookFlagAnswers } from './hook-answer-flag.ts';
import type { WantedChange } from './changed-workload.ts';
import type { ApprovePolicy, PodBehaviour } from './rehearse-plan.ts';

export type RehearseFlags = NamespacedFlags & {
  readonly filename?: readonly string[];
  readonly fromCluster?: string;
  readonly workload?: string;
  readonly change?: readonly string[];
  readonly hook?: readonly string[];
  readonly liveHooks?: boolean;
  readonly pods?: string;
  readonly approve: string;
  readonly horizon: string;
  readonly profile: string;
  readonly seed: string;
  readonly runs: string;
  readonly html?: string;
  readonly output?: string;
};

export function changeOf(given: readonly string[]): WantedChange {
  const images = new Map<string, string>();
  let change: WantedChange = { images };
  for (const text of given) {
    const [, container = '*', image] = /^image(?:\.([^=\s]+))?=(\S+)$/.exec(text) ?? [];
    const replicas = /^replicas=(\d{1,5})$/.exec(text)?.[1];
    if (image !== undefined && images.has(container))
      throw new ExitError(2, `--change ${text}: the image is given twice`);
    if (replicas !== undefined && change.replicas !== undefined)
      throw new ExitError(2, `--change ${text}: replicas is given twice`);
    if (image !== undefined) images.set(container, image);
    else if (replicas !== undefined) change = { images, replicas: Number(replicas) };
    else
      throw new ExitError(
        2,
        `--change ${text} is not understood: write image=app:v2, image.CONTAINER=app:v2 or replicas=6`,
      );
  }
  if (given.length === 0) throw new ExitError(2, 'nothing is to be changed: give --change image=app:v2');
  return change;
}

export const hooksOf = (given: readonly string[]): ReadonlyMap<string, RehearsedAnswer> =>
  hookFlagAnswers<RehearsedAnswer>(given, {
    named: { what: 'TEMPLATE', example: 'smoke-test' },
    readFile: (path) => ({ type: 'recorded', replies: readReplies(path) }),
  });

export function approveOf(text: string): ApprovePolicy {
  if (text === 'auto' || text === 'never') return { type: text };
  const wait = parseDuration(/^after:(.+)$/.exec(text)?.[1] ?? '');
  if (wait === undefined)
    throw new ExitError(2, `--approve ${text} is not understood: write auto, never or after:10m`);
  return { type: 'after', wait };
}

export function podsOf(text: string | undefined): PodBehaviour {
  let behaviour: PodBehaviour = {};
  const parts = text === undefined ? [] : text.split(',').map((part) => part.trim());
  for (const part of parts) {
    const read = behaviourOf(part);
    if (read === undefined)
      throw new ExitError(
        2,
        `--pods ${part} is not understood: write slow-start=20s (up to 8760h), crash=5%, or both with a comma`,
      );
    const [twice] = Object.keys(read).filter((key) => key in behaviour);
    if (twice !== undefined)
      throw new ExitError(2, `--pods ${part}: ${part.split('=', 1).join('')} is given twice`);
    behaviour = { ...behaviour, ...read };
  }
  return behaviour;
}

function behaviourOf(part: string): PodBehaviour | undefined {
  const [, key = '', value = ''] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
  // The longest span of simulated nodes is a year.
  const slowStart = key === 'slow-start' ? parseSpan(value) : undefined;
  if (slowStart !== undefined) return { slowStart };
  const percent = key === 'crash' ? /^(\d{1,3}(?:\.\d+)?)%$/.exec(value)?.[1] : undefined;
  return percent !== undefined && Number(percent) <= 100 ? { crash: Number(percent) / 100 } : undefined;
}

export function horizonOf(text: string): Millis {
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return span;
  throw new ExitError(2, `--horizon ${text} is not a duration: use one such as 24h`);
}

export function wholeOf(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value <= most) return value;
  throw new ExitError(2, `${flag} ${text} is not a whole number up to ${most}`);
}
