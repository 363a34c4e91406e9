import { listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

/** An address that a hook calls. */
export type FixedAddress = { readonly host: string; readonly port: number; readonly named: string };

/** The addresses of HookTemplates and CRDRegistrations, each once. Those with placeholders are left out. */
export function hookAddresses(
  templates: readonly KubeObject[],
  registrations: readonly KubeObject[],
): readonly FixedAddress[] {
  const found = [
    ...templates.flatMap((template) =>
      listAt(template, 'spec', 'metrics').flatMap((metric) =>
        addressIn(urlOf(metric), `HookTemplate ${namespaceOf(template)}/${nameOf(template)}`),
      ),
    ),
    ...registrations.flatMap((registration) =>
      addressIn(
        textAt(registration, 'spec', 'hook', 'address', 'uri'),
        `CRDRegistration ${nameOf(registration)}`,
      ),
    ),
  ];
  return [...new Map(found.map((each) => [`${each.host}:${each.port}`, each])).values()];
}

function urlOf(metric: Json): string | undefined {
  const provider = objectAt(metric, 'provider') ?? {};
  return textAt(provider, 'web', 'url') ?? textAt(provider, 'prometheus', 'address');
}

function addressIn(url: string | undefined, named: string): readonly FixedAddress[] {
  if (url === undefined || url.includes('{{') || !URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return [{ host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? usual : Number(port), named }];
}
