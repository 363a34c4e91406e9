import { textAt } from '#base/json.ts';
import { conditionOf } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import { registrations } from '#web/server/live/overview-kinds.ts';
import { registrationRow } from '#web/server/live/overview-row.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { RegistrationPage } from '#web/wire/registration-page.ts';
import { readEvents, watchEvents } from './page-events.ts';
import { refusedPage, watchOne, type PageReader } from './page-reader.ts';
import { instanceResource, readInstances } from './registration-instances.ts';

/** The page of a CRDRegistration with the instances of its CRD. */
export async function readRegistrationPage(
  { client }: PageReader,
  { name }: { readonly name: string },
  signal: AbortSignal,
): Promise<ReadPage> {
  const own = watchOne(registrations, { name });
  const outcome = await client.get(registrations, { name }, signal);
  if (outcome.type !== 'ok') return refusedPage(outcome, `CRDRegistration ${name}`, [own]);
  const registration = outcome.object;
  const about = { kind: 'CRDRegistration', namespace: '', name };
  const crd = textAt(registration, 'spec', 'crd') ?? '';
  const resource = await instanceResource(client, crd, signal);
  const read = resource === undefined ? undefined : await readInstances(client, name, resource, signal);
  const { phase, message } = registrationRow(registration);
  const problem = read?.type === 'refused' ? `The instances cannot be listed: ${read.message}` : '';
  const page: RegistrationPage = {
    name,
    crd,
    phase,
    message: [message, problem].filter((each) => each !== '').join(' '),
    hook: hookOf(registration),
    instances: read?.type === 'instances' ? read.instances : [],
    events: await readEvents(client, about, registration, signal),
  };
  const instances = resource === undefined ? [] : [{ resource }];
  return {
    type: 'object',
    object: { type: 'registration', page },
    watch: [own, watchEvents(about), ...instances],
  };
}

function hookOf(registration: KubeObject): RegistrationPage['hook'] {
  const healthy = conditionOf(registration, 'HookHealthy');
  return {
    url: textAt(registration, 'status', 'annotations', 'hookURL') ?? '',
    isHealthy: textAt(healthy, 'status') !== 'False',
    message: textAt(healthy, 'message') ?? '',
  };
}
