import { listAt, numberAt, textAt } from '#base/json.ts';
import { isDeleting, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { childName } from '#registrations/decide/children.ts';
import type { RegistrationShape } from './plan-registration-world.ts';
import { kuards, type RegistrationServer } from './registration-server.ts';

const childStorages = ['apps/deployments', '/services', '/serviceaccounts'] as const;

/** What must be true when faults have ceased. Worked out from the declared state, not by the controller's functions. */
export function childComplaints(
  server: RegistrationServer,
  shape: RegistrationShape,
  isSkipped: (instance: string) => boolean = () => false,
): readonly string[] {
  const instances = server.stored(kuards.storage);
  return [
    ...instances
      .filter((each) => !isSkipped(nameOf(each)))
      .flatMap((each) => instanceComplaints(server, shape, each)),
    ...orphanComplaints(server, instances),
  ];
}

function instanceComplaints(
  server: RegistrationServer,
  shape: RegistrationShape,
  instance: KubeObject,
): readonly string[] {
  const name = nameOf(instance);
  if (isDeleting(instance)) return [`the deletion of ${name} does not end`];
  const wanted = childName('kuard', name);
  const own = (storage: string): readonly KubeObject[] =>
    server.stored(storage).filter((child) => ownerOf(child) === uidOf(instance));
  const [deployment, ...others] = own('apps/deployments');
  if (deployment === undefined) return [`${name} has no Deployment`];
  const complaints = others.map((other) => `${name} has a second Deployment ${nameOf(other)}`);
  if (nameOf(deployment) !== wanted)
    complaints.push(`the Deployment of ${name} is called ${nameOf(deployment)}`);
  const container = listAt(deployment, 'spec', 'template', 'spec', 'containers')[0];
  if (textAt(container, 'image') !== shape.image)
    complaints.push(
      `the Deployment of ${name} has the image ${textAt(container, 'image')}, not ${shape.image}`,
    );
  if (numberAt(deployment, 'spec', 'replicas') !== shape.replicas)
    complaints.push(`the Deployment of ${name} has not ${shape.replicas} replicas`);
  const value = textAt(
    listAt(container, 'env').find((each) => textAt(each, 'name') === 'VALUE'),
    'value',
  );
  const declared = String(numberAt(instance, 'spec', 'value'));
  if (value !== declared)
    complaints.push(`the Deployment of ${name} has the value ${value}, not ${declared}`);
  const hasEnv = listAt(container, 'env').some((each) => textAt(each, 'name') === 'FROM_HOOK');
  if (hasEnv !== shape.hasHook)
    complaints.push(`the hook's variable of ${name} is ${hasEnv ? 'there' : 'missing'}`);
  const services = own('/services').length;
  if (services !== (shape.hasService ? 1 : 0)) complaints.push(`${name} has ${services} Services`);
  return complaints;
}

const ownerOf = (child: KubeObject): string =>
  textAt(listAt(child, 'metadata', 'ownerReferences')[0], 'uid') ?? '';

function orphanComplaints(server: RegistrationServer, instances: readonly KubeObject[]): readonly string[] {
  const known = new Set(instances.map(uidOf));
  return childStorages.flatMap((storage) =>
    server
      .stored(storage)
      .filter((child) => ownerOf(child) !== '' && !known.has(ownerOf(child)))
      .map((child) => `${storage} ${nameOf(child)} is left without its instance`),
  );
}
