import { hashText } from '#base/hash.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import type { Ask, Question } from '#control/hook/provider.ts';
import { clusters } from '#control/machine-objects/resources.ts';
import { runScript } from '#control/machine-objects/run-script.ts';
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
    const filled = fill(question, [provider.cluster, provider.script, ...(provider.args ?? [])]);
    if (!Array.isArray(filled)) return errorOf(filled, '');
    const [name = '', script = '', ...argv] = filled;
    const request = `${script} on ${provider.on ?? 'first'} ${provider.role ?? 'master'} of Cluster ${name}`;
    try {
      const found = await actingFor(deps.impersonate, question).get(clusters, { name }, signal);
      if (found.type !== 'ok') return errorOf(`Cluster ${name}: ${found.message}`, request);
      const wanted = {
        role: provider.role ?? 'master',
        on: provider.on ?? 'first',
        script,
        argv,
        timeoutSeconds: provider.timeoutSeconds ?? usualTimeout,
      };
      const work = { cluster: found.object, request: wanted, id: operationId(question) };
      const end = await runScript(deps, deps.machines, work, signal);
      const evidence = { request };
      if (end.type === 'done') return { type: 'value', result: end.lastLine, value: end.lastLine, evidence };
      if (end.type === 'failed') return { type: 'verdict', phase: 'Failed', message: end.message, evidence };
      return errorOf(end.message, request);
    } catch (error) {
      signal.throwIfAborted();
      return errorOf(reasonOf(error), request);
    }
  };
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
