import { textAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { runLabels, type HookPoint } from '#releases/model/run-labels.ts';
import { stoppedAnnotation } from '#releases/model/well-known.ts';
import { fitted } from '#kube/workload/fitted.ts';
import type { KubeObject } from '#kube/object.ts';
import { after } from '#kube/workload/testing/objects.ts';

/**
 * A HookRun in one line: its point, the revision, the step or the id of the pod, its phase, and words about it. Its
 * hook is `check`, and it was made at noon. `other NAME` is a run of somebody else.
 */
export type RunShort = string | { readonly run: string; readonly status: JsonObject };

const prefixes: Readonly<Record<string, string>> = {
  'canary-step': '',
  'pre-delete': 'predelete-',
  'pre-inplace': 'preinplace-',
  'post-inplace': 'postinplace-',
};

export function runFrom(short: RunShort, workload: KubeObject): KubeObject {
  const [line, more] = typeof short === 'string' ? [short, {}] : [short.run, short.status];
  const [point = '', revision = '', whose = '', phase = '', ...rest] = line.split(' ');
  if (point === 'other') return { kind: 'HookRun', metadata: { name: revision } };
  const word = (name: string): string | undefined =>
    rest.find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    kind: 'HookRun',
    metadata: {
      name: fitted(`${prefixes[point] ?? ''}${revision}-${whose}-check${suffixOf(word('retry'))}`),
      namespace: 'default',
      creationTimestamp: formatTime(after(Number(word('created') ?? 0))),
      ...annotationsFrom(rest),
      labels: labelsFrom(
        { point: point as HookPoint, revision, whose, retry: word('retry') },
        workload,
        word('walk'),
      ),
    },
    spec: rest.includes('terminated') ? { terminate: true } : {},
    status: { ...(phase === '' || phase === '-' ? {} : { phase }), ...more },
  };
}

const annotationsFrom = (words: readonly string[]): JsonObject =>
  words.includes('stopped-by-controller') ? { annotations: { [stoppedAnnotation]: 'true' } } : {};

const suffixOf = (retry: string | undefined): string => (retry === undefined ? '' : `-${Number(retry) + 1}`);

type About = {
  readonly point: HookPoint;
  readonly revision: string;
  readonly whose: string;
  readonly retry: string | undefined;
};

function labelsFrom(
  { point, revision, whose, retry = '0' }: About,
  workload: KubeObject,
  walk?: string,
): JsonObject {
  const release = walk ?? textAt(workload, 'status', 'canary', 'releaseID');
  const about =
    point === 'canary-step'
      ? { step: Number(whose), retry: Number(retry), ...(release === undefined ? {} : { release }) }
      : { instance: whose };
  return runLabels({ kind: 'GameDeployment', workload: 'gd', revision, point, ...about });
}
