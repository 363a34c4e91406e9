import type { Provider } from '#api/hook/metric.ts';
import { hashText } from '#base/hash.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import type { Ask, Question } from '#control/hook/provider.ts';
import { clusters } from '#control/machine-objects/resources.ts';
import { runScript, type ScriptEnd } from '#control/machine-objects/run-script.ts';
import type { ScriptRequest } from '#decide/machine-objects/plan-script.ts';
import { fillText } from '#decide/hook/placeholders.ts';
import type { Reading } from '#decide/hook/reading.ts';
import { reasonOf } from '#loop/report.ts';
import { actingFor } from './acting.ts';

type Deps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'hmac' | 'impersonate' | 'machines'>;

const usualTimeout = 600;

/** Runs a script that a Cluster delivers on its machines; whoever may read that Cluster may ask for it. */
export function machineProvider(deps: Deps): Ask {
  return async (question, signal) => {
    const provider = question.metric.provider.machine;
    if (provider === undefined) return errorOf('the metric has no machine provider', '');
    if (deps.machines === undefined) return errorOf('this controller has no way to machines', '');
    const wanted = requestOf(question, provider);
    if (typeof wanted === 'string') return errorOf(wanted, '');
    const { cluster: name, request } = wanted;
    const said = `${request.script} on ${request.on} ${request.role} of Cluster ${name}`;
    try {
      const found = await actingFor(deps.impersonate, question).get(clusters, { name }, signal);
      if (found.type !== 'ok') return errorOf(`Cluster ${name}: ${found.message}`, said);
      const work = { cluster: found.object, request, id: operationId(question) };
      return readingOf(await runScript(deps, deps.machines, work, signal), said);
    } catch (error) {
      signal.throwIfAborted();
      return errorOf(reasonOf(error), said);
    }
  };
}

type Asked = { readonly cluster: string; readonly request: ScriptRequest };

function requestOf(question: Question, provider: NonNullable<Provider['machine']>): Asked | string {
  const { role = 'master', on = 'first', timeoutSeconds = usualTimeout } = provider;
  const filled = fill(question, [provider.cluster, provider.script, ...(provider.args ?? [])]);
  if (!Array.isArray(filled)) return filled;
  const [cluster = '', script = '', ...argv] = filled;
  return { cluster, request: { role, on, script, argv, timeoutSeconds } };
}

function readingOf(end: ScriptEnd, request: string): Reading {
  const evidence = { request };
  switch (end.type) {
    case 'done':
      return { type: 'value', result: end.lastLine, value: end.lastLine, evidence };
    case 'failed':
      return { type: 'verdict', phase: 'Failed', message: end.message, evidence };
    case 'impossible':
      return errorOf(end.message, request);
  }
}

/** The same call again, after a crash, finds what it began on the machines. */
const operationId = ({ run, metric, attempt }: Question): string =>
  `hookrun-${hashText([run.uid, metric.name, attempt].join('\n'))}`;

function fill({ args }: Question, texts: readonly string[]): string[] | string {
  const filled: string[] = [];
  for (const text of texts) {
    const one = fillText(text, args);
    if (one.type === 'problem') return one.message;
    filled.push(one.value);
  }
  return filled;
}

const errorOf = (message: string, request: string): Reading => ({
  type: 'error',
  message,
  evidence: request === '' ? {} : { request },
});
