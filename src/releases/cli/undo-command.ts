import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { outputFormat } from '#command/output.ts';
import { printLabelSelector } from '#kube/label-selector.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { claim } from '#kube/workload/claim.ts';
import { selectorOf } from '#loop/owned/selector-index.ts';
import { revisions } from '#loop/owned/resources.ts';
import { planUndo } from '#releases/decide/template-change/plan-undo.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { actOn, type ActFlags, type ActingIn } from './acting-in.ts';
import { changeTemplate } from './change-template.ts';
import type { FoundWorkload } from './find-workload.ts';
import { printReport, reportFormats, type ReleaseReport } from './release-report.ts';
import type { Signature } from './signature.ts';

export type UndoFlags = ActFlags & { readonly toRevision?: string };

/** `boathook release undo WORKLOAD`: sets the template back to that of a ControllerRevision. */
export async function undoCommand(workload: string, flags: UndoFlags): Promise<number> {
  const format = outputFormat(flags, reportFormats);
  const wanted = revisionOf(flags);
  return actOn(workload, flags, async (cluster, found, signed) => {
    const report = await undoWorkload(cluster, found, { signed, wanted });
    return printReport(found, 'undo', report, format);
  });
}

export type UndoRequest = {
  readonly signed: Signature;
  /** The number of a revision; undefined: the one before. */
  readonly wanted: number | undefined;
  /** A reason not to change the workload as it was read. */
  readonly objection?: (workload: KubeObject) => TemplatePlan | undefined;
};

/** Sets the template of a workload back. */
export async function undoWorkload(
  cluster: ActingIn,
  found: FoundWorkload,
  { signed, wanted, objection }: UndoRequest,
): Promise<ReleaseReport> {
  const known = await revisionsOf(cluster, found.workload);
  const plan = (read: KubeObject): TemplatePlan =>
    objection?.(read) ?? planUndo(read, known, wanted, found.title);
  return changeTemplate(cluster, found, { verb: 'undo', signed, plan });
}

function revisionOf({ toRevision }: UndoFlags): number | undefined {
  if (toRevision === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(toRevision)) return Number(toRevision);
  throw new ExitError(
    2,
    `--to-revision ${toRevision} is not the number of a revision: boathook release history lists them`,
  );
}

async function revisionsOf(
  { client, signal }: InCluster,
  workload: KubeObject,
): Promise<readonly KubeObject[]> {
  const selector = selectorOf(workload);
  const labelSelector = printLabelSelector(selector);
  const listed = await client.list(revisions, { namespace: namespaceOf(workload), labelSelector }, signal());
  if (listed.type === 'ok') return claim(workload, selector, listed.items).owned;
  throw new ExitError(1, `the revisions cannot be listed: ${listed.message}`);
}
