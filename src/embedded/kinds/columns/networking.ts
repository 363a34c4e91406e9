import { at, listAt, objectAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { textCell, textOr } from './cells.ts';
import { withNameAndAge, textColumn, type Column } from './column.ts';
import { selectorOrNone } from './selector-text.ts';
import { loadBalancerText } from './services.ts';

export const ingressColumns: readonly Column[] = withNameAndAge(
  textColumn(
    'Class',
    'The IngressClass that handles this object.',
    textOr('<none>', 'spec', 'ingressClassName'),
  ),
  textColumn('Hosts', 'The hosts that requests are matched against.', hostsText),
  textColumn('Address', 'Where the load balancer can be reached.', loadBalancerText),
  textColumn('Ports', 'The open ports.', (it) => (listAt(it, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
);

export const ingressClassColumns: readonly Column[] = withNameAndAge(
  textColumn('Controller', 'Who handles Ingresses of this class.', textCell('spec', 'controller')),
  textColumn('Parameters', 'The object with further settings.', parametersText),
);

export const networkPolicyColumns: readonly Column[] = withNameAndAge(
  textColumn('Pod-Selector', 'The pods this policy is about.', (it) =>
    selectorOrNone(at(it, 'spec', 'podSelector')),
  ),
);

/** Rules beyond the third named host are counted whether they name a host or not, as a server does. */
function hostsText(ingress: KubeObject): string {
  const rules = listAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host') ?? '');
  const named = rules.flatMap((host, position) => (host === '' ? [] : [{ host, position }])).slice(0, 3);
  if (named.length === 0) return '*';
  const shown = named.map(({ host }) => host).join(',');
  const third = named[2];
  const more = third !== undefined && third.position < rules.length - 1;
  return more ? `${shown} + ${rules.length - 3} more...` : shown;
}

function parametersText(ingressClass: KubeObject): string {
  const parameters = objectAt(ingressClass, 'spec', 'parameters');
  if (parameters === undefined) return '<none>';
  const group = textAt(parameters, 'apiGroup');
  const kind = textAt(parameters, 'kind') ?? '';
  return `${kind}${group === undefined ? '' : `.${group}`}/${textAt(parameters, 'name') ?? ''}`;
}
