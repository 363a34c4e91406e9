import { ExitError } from '#command/exit.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { outputFormat } from '#command/output.ts';
import { printLabelSelector } from '#kube/label-selector.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { claim } from '#kube/workload/claim.ts';
import { selectorOf } from '#loop/owned/owned.ts';
import { revisions } from '#loop/owned/resources.ts';
import { planUndo } from '#releases/decide/template-change/plan-undo.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { actOn, type ActFlags } from './acting-in.ts';
import { changeTemplate } from './change-template.ts';
import { printReport, reportFormats } from './release-report.ts';

export type UndoFlags = ActFlags & { readonly toRevision?: string };

/** `boathook release undo WORKLOAD`: sets the template back to that of a ControllerRevision. */
export async function undoCommand(workload: string, flags: UndoFlags): Promise<number> {
  const format = outputFormat(flags, reportFormats);
  const wanted = revisionOf(flags);
  return actOn(workload, flags, async (cluster, found, signed) => {
    const known = await revisionsOf(cluster, found.workload);
    const plan = (read: KubeObject): TemplatePlan => planUndo(read, known, wanted, found.title);
    const report = await changeTemplate(cluster, found, { verb: 'undo', signed, plan });
    return printReport(found, 'undo', report, format);
  });
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
