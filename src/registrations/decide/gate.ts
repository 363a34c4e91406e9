import { hashText } from '#base/hash.ts';
import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import { runFromTemplate } from '#hooks/decide/make-run.ts';
import { templateOf } from '#hooks/read.ts';
import { kindOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { childLabels, childName } from './children.ts';
import type { InstanceSnapshot } from './cycle.ts';
import type { Registration } from '#registrations/model/registration.ts';

export type InstanceGate =
  | { readonly type: 'open' }
  | { readonly type: 'create'; readonly run: JsonObject }
  | { readonly type: 'shut'; readonly reason: 'GATEWAITING' | 'GATECLOSED'; readonly message: string };

/** A new generation of the instance, the registration or the template needs a new run. */
export function gateRunName(
  { name, generation }: Pick<Registration, 'name' | 'generation'>,
  instance: KubeObject,
  template: KubeObject | undefined,
): string {
  const seen = [instance, template].map((each) =>
    each === undefined ? '' : `${uidOf(each)}/${numberAt(each, 'metadata', 'generation') ?? ''}`,
  );
  const hash = hashText(`${generation} ${seen.join(' ')}`).slice(0, 10);
  return `${childName(name, nameOf(instance)).slice(0, 47)}-gate-${hash}`;
}

/** Whether children may be applied: only after a Successful run. */
export function decideGate(snapshot: InstanceSnapshot): InstanceGate {
  const { registration, gate } = snapshot;
  if (registration.gate === undefined) return { type: 'open' };
  const { templateName } = registration.gate;
  const said = `HookTemplate ${namespaceOf(snapshot.instance)}/${templateName}`;
  if (gate?.template === undefined)
    return { type: 'shut', reason: 'GATEWAITING', message: `the gate ${said} does not exist` };
  if (gate.run === undefined) return newRun(snapshot, gate.template);
  const phase = textAt(gate.run, 'status', 'phase') ?? 'Pending';
  if (phase === 'Successful') return { type: 'open' };
  const name = `HookRun ${namespaceOf(gate.run)}/${nameOf(gate.run)} of the gate`;
  const isOver = ['Failed', 'Error', 'Inconclusive'].includes(phase);
  const why = textAt(gate.run, 'status', 'message');
  return {
    type: 'shut',
    reason: isOver ? 'GATECLOSED' : 'GATEWAITING',
    message: isOver
      ? `${name} is ${phase}${why === undefined ? '' : `: ${why}`}; delete it to run the gate again`
      : `${name} has not finished yet`,
  };
}

function newRun({ registration, instance }: InstanceSnapshot, template: KubeObject): InstanceGate {
  const { spec } = templateOf(template);
  const injected = {
    InstanceName: nameOf(instance),
    InstanceNamespace: namespaceOf(instance),
    InstanceKind: kindOf(instance),
    RegistrationName: registration.name,
  };
  const declared = new Set((spec.args ?? []).map(({ name }) => name));
  const made = runFromTemplate({
    template: { spec },
    name: gateRunName(registration, instance, template),
    namespace: namespaceOf(instance),
    labels: {
      ...childLabels(registration.name, instance),
      'boathook.dev/hook-point': 'Gate',
    },
    owner: controllerReference(instance),
    given: registration.gate?.args ?? [],
    injected: Object.entries(injected).flatMap(([name, value]) =>
      declared.has(name) ? [{ name, value }] : [],
    ),
  });
  return made.type === 'run'
    ? { type: 'create', run: made.object }
    : { type: 'shut', reason: 'GATECLOSED', message: `HookTemplate ${nameOf(template)}: ${made.message}` };
}
