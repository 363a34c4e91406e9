import { numberAt, objectAt, type JsonObject } from '#base/json.ts';
import type { Patch } from '#edge/kube/write-verbs.ts';
import { isDeleting, nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { newRevision } from '#kube/workload/revisions.ts';
import { revisionNaming } from '#releases/controller/update-revision.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { whatFollows } from '#releases/decide/template-change/what-follows.ts';
import { changeAnnotation, printChange, type ChangeVerb } from '#releases/model/release-change.ts';
import type { ActingIn } from './acting-in.ts';
import type { FoundWorkload } from './find-workload.ts';
import { guardedWrite, type Decided } from './guarded-write.ts';
import type { ReleaseReport } from './release-report.ts';
import type { Signature } from './signature.ts';

type Change = Extract<TemplatePlan, { readonly type: 'change' }> & { readonly revision: string };
type NoChange = Exclude<TemplatePlan, { readonly type: 'change' }>;

type TemplateEdit = {
  readonly verb: ChangeVerb;
  readonly signed: Signature;
  readonly plan: (workload: KubeObject) => TemplatePlan;
};

/** Replaces the template of a workload, provided that nobody has changed the template since it was read. */
export async function changeTemplate(
  cluster: ActingIn,
  found: FoundWorkload,
  { verb, signed, plan }: TemplateEdit,
): Promise<ReleaseReport> {
  const { title } = found;
  const decide = (workload: KubeObject): Decided<Change, NoChange> => {
    const planned = isDeleting(workload)
      ? ({ type: 'refused', message: `${title} is being deleted` } as const)
      : plan(workload);
    if (planned.type !== 'change') return { type: 'stop', stop: planned };
    const { template } = planned;
    const revision = planned.revision ?? revisionOf(workload, template);
    const change = printChange({ ...signed, verb, revision });
    return {
      type: 'write',
      write: { ...planned, revision },
      basis: { before: objectAt(workload, 'spec', 'template') ?? {}, after: template },
      patch: templatePatch(workload, template, change),
    };
  };
  const guarded = await guardedWrite(cluster, found, decide);
  switch (guarded.type) {
    case 'written': {
      const { summary, revision } = guarded.write;
      const message = `${title}: ${summary}. ${whatFollows(guarded.workload, revision, title)}`;
      return { result: 'Done', message, workload: guarded.workload, id: signed.id };
    }
    case 'stopped':
      return {
        result: results[guarded.stop.type],
        message: guarded.stop.message,
        workload: guarded.workload,
      };
    case 'changed':
      return {
        result: 'Refused',
        message: `another writer has changed the template of ${title}, and nothing was done: run the command again if it is still right`,
        workload: guarded.after,
      };
  }
}

const results = { nothing: 'Nothing', refused: 'Refused', invalid: 'Invalid' } as const;

/** The name of the ControllerRevision of a template. */
function revisionOf(workload: KubeObject, template: JsonObject): string {
  const next = { ...workload, spec: { ...objectAt(workload, 'spec'), template } };
  const collisions = numberAt(workload, 'status', 'collisionCount') ?? 0;
  return nameOf(newRevision(next, { number: 0, collisions, ...revisionNaming }));
}

/** Sets the resourceVersion, so that the server refuses the patch after any other change. */
function templatePatch(workload: KubeObject, template: JsonObject, change: string): Patch {
  const hasAnnotations = objectAt(workload, 'metadata', 'annotations') !== undefined;
  const key = changeAnnotation.replaceAll('/', '~1');
  return {
    type: 'json',
    body: [
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersionOf(workload) },
      hasAnnotations
        ? { op: 'add', path: `/metadata/annotations/${key}`, value: change }
        : { op: 'add', path: '/metadata/annotations', value: { [changeAnnotation]: change } },
      { op: 'replace', path: '/spec/template', value: template },
    ],
  };
}
