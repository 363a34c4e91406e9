import type { Evidence } from '#hooks/kinds/hook-run.ts';
import { isObject } from '#base/json.ts';
import { later, millis, seconds, type Clock, type Instant } from '#base/time.ts';
import type { ProviderAsk, ProviderDeps, MetricCall } from '#hooks/providers/provider.ts';
import { RunEnded } from '#hooks/providers/run-ended.ts';
import { fillJson } from '#hooks/decide/placeholders.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { startSilenceTimeout } from '#loop/silence-timeout.ts';
import { reasonOf } from '#loop/report.ts';
import type { KubeObject } from '#kube/object.ts';
import { actingFor, refusalText } from '#hooks/providers/acting.ts';
import type { JobProvider } from './wire/job-wire.ts';
import { jobLogs } from './job-logs.ts';
import { belongsTo, endOf, jobName, jobObject } from './job-object.ts';

const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true };
const usualTimeout = 600;
const firstPause = millis(500);
const longestPause = seconds(5);
const removePatience = seconds(10);

type Deps = Pick<ProviderDeps, 'impersonate' | 'clock'>;

/** Runs a Job in the namespace of the run, as a ServiceAccount of it. The call succeeds when the Job completes. */
export function jobProvider(deps: Deps): ProviderAsk<JobProvider> {
  return async (question, signal) => {
    const { namespace, serviceAccount, args, spec: provider } = question;
    const spec = fillJson(provider.spec, args);
    if (spec.type === 'problem') return errorOf(`job.spec: ${spec.message}`, {});
    if (!isObject(spec.value)) return errorOf('job.spec must be an object', {});
    const began = deps.clock.now();
    const request = `job ${namespace}/${jobName(question)} as ${serviceAccount}`;
    let call: JobCall | undefined;
    try {
      call = new JobCall(deps, question, began);
      const reading = await call.run(jobObject(question, spec.value), provider.timeoutSeconds, signal);
      const latencyMs = Math.round(deps.clock.now() - began);
      return { ...reading, evidence: { request, latencyMs, ...reading.evidence } };
    } catch (error) {
      if (signal.reason instanceof RunEnded) await call?.remove();
      signal.throwIfAborted();
      return errorOf(reasonOf(error), { request });
    }
  };
}

class JobCall {
  readonly #clock: Clock;
  readonly #client: KubeClient;
  readonly #question: MetricCall;
  readonly #began: Instant;
  readonly #key: { readonly namespace: string; readonly name: string };

  constructor({ clock, impersonate }: Deps, question: MetricCall, began: Instant) {
    this.#clock = clock;
    this.#client = actingFor(impersonate, question);
    this.#question = question;
    this.#began = began;
    this.#key = { namespace: question.namespace, name: jobName(question) };
  }

  async run(job: KubeObject, timeout = usualTimeout, signal: AbortSignal): Promise<ProviderReading> {
    const deadline = later(this.#began, seconds(timeout > 0 ? timeout : usualTimeout));
    const created = await this.#ensure(job, signal);
    if (created.type !== 'ok')
      return errorOf(`the Job was refused: ${refusalText(created, this.#question)}`, {
        status: created.code,
      });
    if (!belongsTo(created.object, this.#question.run.uid))
      return errorOf(`there is another Job ${this.#key.name} that is not of this run`, {});
    const ended = await this.#wait(created.object, deadline, signal);
    if (ended === undefined) return errorOf('the Job was removed before it ended', {});
    const body = await jobLogs(this.#client, this.#key, signal);
    const evidence: Evidence = body === '' ? {} : { body };
    const end = endOf(ended);
    if (end === undefined) {
      await this.remove();
      return errorOf(`the Job did not end within ${timeout} s`, evidence);
    }
    if (end.type === 'Complete') return { type: 'verdict', phase: 'Successful', value: 'Complete', evidence };
    const message = end.message === '' ? 'the Job failed' : `the Job failed: ${end.message}`;
    return { type: 'verdict', phase: 'Failed', value: 'Failed', message, evidence };
  }

  /** The Job of this call; a controller that crashed may have created it already. */
  async #ensure(job: KubeObject, signal: AbortSignal): Promise<Outcome> {
    const created = await this.#client.create(jobs, job, signal);
    return created.type === 'exists' ? this.#client.get(jobs, this.#key, signal) : created;
  }

  /** The Job when it has ended or the deadline has passed; undefined when it was deleted. */
  async #wait(first: KubeObject, deadline: Instant, signal: AbortSignal): Promise<KubeObject | undefined> {
    let job = first;
    let pause = firstPause;
    for (;;) {
      const left = deadline - this.#clock.now();
      if (endOf(job) !== undefined || left <= 0) return job;
      await this.#clock.sleep(millis(Math.min(pause, left)), signal);
      pause = millis(Math.min(pause * 1.5, longestPause));
      const outcome = await this.#client.get(jobs, this.#key, signal);
      if (outcome.type === 'not-found') return undefined;
      if (outcome.type !== 'ok') throw new Error(`the Job cannot be read: ${outcome.message}`);
      job = outcome.object;
    }
  }

  /** Deletes a Job that nothing waits for. If this fails, the garbage collector deletes it with the run. */
  async remove(): Promise<void> {
    const never = new AbortController().signal;
    const patience = startSilenceTimeout(
      this.#clock,
      removePatience,
      never,
      'The Job could not be removed in time.',
    );
    try {
      await this.#client.remove(jobs, this.#key, patience.signal, { propagationPolicy: 'Background' });
    } catch {
      // The garbage collector deletes it with the run.
    } finally {
      patience.stop();
    }
  }
}

const errorOf = (message: string, evidence: Evidence): ProviderReading => ({
  type: 'error',
  message,
  evidence,
});
