import { hashText } from '#base/hash.ts';
import type { ProviderAsk, ProviderDeps, MetricCall } from '#hooks/providers/provider.ts';
import { RunEnded } from '#hooks/providers/run-ended.ts';
import { clusters } from '#machines/kinds/resources.ts';
import type { ScriptEnd, Stops } from '#machines/decide/objects/script.ts';
import type { ScriptRequest } from '#machines/decide/objects/plan-script.ts';
import { judgeMachines } from '#hooks/decide/judge-machines.ts';
import { fillText } from '#hooks/decide/placeholders.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import { reasonOf } from '#loop/report.ts';
import { actingFor, refusalText } from '#hooks/providers/acting.ts';
import { KeptEnd } from './kept-end.ts';
import type { MachineProvider } from './wire/machine-wire.ts';

type Deps = Pick<ProviderDeps, 'clock' | 'impersonate' | 'scripts'>;

const usualTimeout = 600;

/** Runs a script on machines of a Cluster. The ServiceAccount of the run must be allowed to read the Cluster. */
export function machineProvider(deps: Deps): ProviderAsk<MachineProvider> {
  return async (question, signal) => {
    const wanted = requestOf(question, question.spec);
    if (typeof wanted === 'string') return errorOf(wanted, '');
    const { role, on, script } = wanted.request;
    const requestText = `${script} on ${on} ${role} of Cluster ${wanted.cluster}`;
    const began = deps.clock.now();
    try {
      const reading = readingOf(await endOf(deps, question, wanted, signal), question, requestText);
      const latencyMs = Math.round(deps.clock.now() - began);
      return { ...reading, evidence: { latencyMs, ...reading.evidence } };
    } catch (error) {
      signal.throwIfAborted();
      return errorOf(reasonOf(error), requestText);
    }
  };
}

type Asked = { readonly cluster: string; readonly request: ScriptRequest };

async function endOf(
  deps: Deps,
  question: MetricCall,
  { cluster: name, request }: Asked,
  signal: AbortSignal,
): Promise<ScriptEnd> {
  const { scripts, clock } = deps;
  if (scripts === undefined)
    return {
      type: 'impossible',
      message: 'this controller cannot reach machines: start it with --files-root',
    };
  const found = await actingFor(deps.impersonate, question).get(clusters, { name }, signal);
  if (found.type !== 'ok')
    return { type: 'impossible', message: `Cluster ${name}: ${refusalText(found, question)}` };
  const id = operationId(question);
  const kept = new KeptEnd({ ...scripts, clock }, question, id);
  const known = await kept.read(signal);
  if (known !== undefined) return known;
  const asker = `HookRun ${question.namespace}/${question.run.name}`;
  const keep = (end: ScriptEnd): Promise<void> => kept.keep(end, signal);
  return scripts.runScript({ cluster: found.object, request, id, asker, keep }, stopsOf(signal));
}

/** A run that is over cancels its script. A controller that stops leaves the script to the next one. */
function stopsOf(signal: AbortSignal): Stops {
  const [cancel, leave] = [new AbortController(), new AbortController()];
  const stop = (): void => (signal.reason instanceof RunEnded ? cancel : leave).abort(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return { cancel: cancel.signal, leave: leave.signal };
}

function requestOf(question: MetricCall, provider: MachineProvider): Asked | string {
  const { role = 'master', on = 'first', timeoutSeconds: limit = usualTimeout } = provider;
  const filled = fill(question, [provider.cluster, provider.script, ...(provider.args ?? [])]);
  if (!Array.isArray(filled)) return filled;
  const [cluster = '', script = '', ...argv] = filled;
  const timeoutSeconds = limit > 0 ? limit : usualTimeout;
  return { cluster, request: { role, on, script, argv, timeoutSeconds } };
}

function readingOf(end: ScriptEnd, { metric }: MetricCall, request: string): ProviderReading {
  switch (end.type) {
    case 'done': {
      const [only, second] = end.lines;
      if (only !== undefined && second === undefined)
        return { type: 'value', result: only.line, value: only.line, evidence: { request } };
      const judged = judgeMachines(metric, end.lines);
      return { ...judged, evidence: { request, ...judged.evidence } };
    }
    case 'failed':
      return { type: 'verdict', phase: 'Failed', message: end.message, evidence: { request } };
    case 'impossible':
      return errorOf(end.message, request);
  }
}

/** A call that is repeated after a crash finds its operation on the machines by this id. */
const operationId = ({ run, metric, attempt }: MetricCall): string =>
  `hookrun-${hashText([run.uid, metric.name, attempt].join('\n'))}`;

function fill({ args }: MetricCall, texts: readonly string[]): string[] | string {
  const filled: string[] = [];
  for (const text of texts) {
    const one = fillText(text, args);
    if (one.type === 'problem') return one.message;
    filled.push(one.value);
  }
  return filled;
}

const errorOf = (message: string, request: string): ProviderReading => ({
  type: 'error',
  message,
  evidence: request === '' ? {} : { request },
});
