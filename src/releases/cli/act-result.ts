import { formatDuration } from '#base/duration.ts';
import { at, listAt, textAt, type Json } from '#base/json.ts';
import type { Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { isPausedByUser } from '#releases/decide/act-plan/plan-pause.ts';
import { isObserved } from '#releases/decide/act-plan/situation.ts';
import { readAct } from '#releases/model/act.ts';
import type { ActingIn } from './acting-in.ts';
import { awaitWorkload } from './await-workload.ts';
import type { FoundWorkload } from './find-workload.ts';
import type { ReleaseReport } from './release-report.ts';

type Awaited = { readonly summary: string; readonly wait: Millis };

/** Waits until the controller has recorded the result of a request. */
export async function awaitAct(
  cluster: ActingIn,
  found: FoundWorkload,
  { id, summary, wait }: Awaited & { readonly id: string },
): Promise<ReleaseReport> {
  const { title, workload } = found;
  const seen = await awaitWorkload(cluster, found, (each) => actReport(each, title, id), wait);
  return { ...(seen ?? requested(workload, title, { summary, wait })), id };
}

function actReport(workload: KubeObject, title: string, id: string): ReleaseReport | undefined {
  const recorded = recordedAct(workload, id);
  if (recorded !== undefined) {
    const result = textAt(recorded, 'result') === 'Ignored' ? 'Ignored' : 'Done';
    return { result, message: `${title}: ${textAt(recorded, 'message') ?? result}`, workload };
  }
  const written = readAct(workload);
  if (written.type === 'act' && written.act.id === id) return undefined;
  const other =
    written.type === 'act' ? `${written.act.verb} by ${written.act.by || 'an unnamed user'}` : 'none';
  const message = `${title}: another request (${other}) replaced this one before a controller acted on it`;
  return { result: 'Ignored', message, workload };
}

/** A request as the controller has recorded it. */
function recordedAct(workload: KubeObject, id: string): Json | undefined {
  const earlier = listAt(workload, 'status', 'history').flatMap((record) => listAt(record, 'acts'));
  return [at(workload, 'status', 'canary', 'lastAct') ?? null, ...earlier].find(
    (each) => textAt(each, 'id') === id,
  );
}

/** Waits until the controller has seen a person's pause, or the end of it. */
export async function awaitPause(
  cluster: ActingIn,
  found: FoundWorkload,
  { paused, ...awaited }: Awaited & { readonly paused: boolean },
): Promise<ReleaseReport> {
  const { title, workload } = found;
  const seen = await awaitWorkload(
    cluster,
    found,
    (each) => (isObserved(each) ? pauseReport(each, title, paused) : undefined),
    awaited.wait,
  );
  return seen ?? requested(workload, title, awaited);
}

function pauseReport(workload: KubeObject, title: string, paused: boolean): ReleaseReport {
  const state = textAt(workload, 'status', 'message') ?? '';
  const message =
    paused && isPausedByUser(workload)
      ? `${title} is paused: no pod is updated until boathook release resume ${title}`
      : `${title} ${paused ? 'is paused' : 'continues'}: ${state}`;
  return { result: 'Done', message, workload };
}

function requested(workload: KubeObject, title: string, { summary, wait }: Awaited): ReleaseReport {
  const written = `${title}: the request to ${summary} is written`;
  if (wait === 0) return { result: 'Requested', message: written, workload, code: 0 };
  const message = `${written}, but no controller has acted on it for ${formatDuration(wait)}: see whether boathook controller runs`;
  return { result: 'Requested', message, workload };
}
