import { at, listAt, textAt } from '#base/json.ts';
import { labelsOf, type KubeObject } from '#kube/object.ts';
import { textCell, textOr } from './cells.ts';
import { ageColumn, nameColumn, textColumn, wideColumn, type Cell, type Column } from './column.ts';

const info = (member: string): Cell => textOr('<unknown>', 'status', 'nodeInfo', member);

export const nodeColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', 'Whether it is ready, and open to new pods.', statusText),
  textColumn('Roles', 'Roles of the node, from its labels.', rolesText),
  ageColumn,
  textColumn('Version', 'The version of the kubelet.', textCell('status', 'nodeInfo', 'kubeletVersion')),
  wideColumn('Internal-IP', 'The address inside the cluster.', addressOf('InternalIP')),
  wideColumn('External-IP', 'The address outside the cluster.', addressOf('ExternalIP')),
  wideColumn('OS-Image', 'The operating system.', info('osImage')),
  wideColumn('Kernel-Version', 'The version of its kernel.', info('kernelVersion')),
  wideColumn('Container-Runtime', 'What runs the containers.', info('containerRuntimeVersion')),
];

function statusText(node: KubeObject): string {
  const ready = listAt(node, 'status', 'conditions').findLast((each) => textAt(each, 'type') === 'Ready');
  const words = [readyWord(textAt(ready, 'status'))];
  if (at(node, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled');
  return words.join(',');
}

function readyWord(status: string | undefined): string {
  if (status === undefined) return 'Unknown';
  return status === 'True' ? 'Ready' : 'NotReady';
}

const rolePrefix = 'node-role.kubernetes.io/';

/** From labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role: <role>`. */
function rolesText(node: KubeObject): string {
  const roles = Object.entries(labelsOf(node)).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || '<none>';
}

function addressOf(type: string): Cell {
  return (node) => {
    const address = listAt(node, 'status', 'addresses').find((each) => textAt(each, 'type') === type);
    return textAt(address, 'address') ?? '<none>';
  };
}
