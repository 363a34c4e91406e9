import { ExitError } from '#command/exit.ts';
import { outputFormat } from '#command/output.ts';
import type { KubeObject } from '#kube/object.ts';
import { planImages } from '#releases/decide/template-change/plan-images.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { actOn, type ActFlags } from './acting-in.ts';
import { changeTemplate } from './change-template.ts';
import { printReport, reportFormats } from './release-report.ts';

/** `boathook release set image WORKLOAD CONTAINER=IMAGE …`. */
export async function setImageCommand(
  workload: string,
  images: readonly string[],
  flags: ActFlags,
): Promise<number> {
  const format = outputFormat(flags, reportFormats);
  const wanted = imagesOf(images);
  return actOn(workload, flags, async (cluster, found, signed) => {
    const plan = (read: KubeObject): TemplatePlan => planImages(read, wanted, found.title);
    const report = await changeTemplate(cluster, found, { verb: 'set image', signed, plan });
    return printReport(found, 'set image', report, format);
  });
}

/** The images of arguments, by container. */
export function imagesOf(images: readonly string[]): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>();
  for (const text of images) {
    const [, container = '', image = ''] = /^([^=\s]+)=(\S+)$/.exec(text) ?? [];
    if (container === '')
      throw new ExitError(2, `"${text}" is not CONTAINER=IMAGE, such as shop=python:3.12 or *=python:3.12`);
    if (wanted.has(container)) throw new ExitError(2, `container ${container} is given twice`);
    wanted.set(container, image);
  }
  return wanted;
}
