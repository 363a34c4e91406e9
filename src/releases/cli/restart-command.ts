import { outputFormat } from '#command/output.ts';
import type { KubeObject } from '#kube/object.ts';
import { planRestart } from '#releases/decide/template-change/plan-restart.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { actOn, type ActFlags } from './acting-in.ts';
import { changeTemplate } from './change-template.ts';
import { printReport, reportFormats } from './release-report.ts';

/** `boathook release restart WORKLOAD`: a new revision that differs in an annotation only. */
export async function restartCommand(workload: string, flags: ActFlags): Promise<number> {
  const format = outputFormat(flags, reportFormats);
  return actOn(workload, flags, async (cluster, found, signed) => {
    const plan = (read: KubeObject): TemplatePlan => planRestart(read, signed.time, found.title);
    const report = await changeTemplate(cluster, found, { verb: 'restart', signed, plan });
    return printReport(found, 'restart', report, format);
  });
}
