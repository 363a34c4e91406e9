import { Type } from '#schema/kind/type.ts';
import { optionalBoolean, optionalString } from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { fixedType, platformGroup } from './cluster.ts';
import { keptOfMachine } from './kept.ts';
import { address, loginRules, machineFields } from './machine-fields.ts';
import { subdomainPattern } from './names.ts';
import { statusFields } from './operation-status.ts';

export const machine = defineKind({
  group: platformGroup,
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  shortNames: ['mc'],
  categories: ['boathook'],
  scope: 'Cluster',
  description: 'A worker of a Cluster. Its files and hooks are those of its Cluster.',
  schema: Type.Object({
    spec: Type.Object(
      {
        clusterName: Type.String({
          description: 'Name of the Cluster that the machine joins.',
          minLength: 1,
          maxLength: 253,
          pattern: subdomainPattern,
          'x-kubernetes-validations': [
            {
              rule: 'self == oldSelf',
              message: 'a machine cannot change its cluster: delete it and create another',
            },
          ],
        }),
        type: fixedType('Type of the machine.'),
        tenantID: optionalString('Tenant in TKEStack. Boathook ignores it.', { maxLength: 253 }),
        ...machineFields,
        ip: address([
          {
            rule: 'self == oldSelf',
            message: 'a machine cannot change its address: delete it and create another',
          },
        ]),
        retriedAt: optionalString('Time of the last manual retry. Any change starts another try at once.', {
          format: 'date-time',
        }),
        forceDelete: optionalBoolean('Delete the machine even if hooks fail or it cannot be reached.'),
        ...keptOfMachine,
      },
      { description: 'Desired state.', 'x-kubernetes-validations': loginRules },
    ),
    status: Type.Optional(
      Type.Object(
        {
          ...statusFields,
          joined: optionalBoolean('The machine has joined its cluster.'),
        },
        { description: 'Observed state.' },
      ),
    ),
  }),
  columns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'IP', type: 'string', jsonPath: '.spec.ip' },
    { name: 'Version', type: 'string', jsonPath: '.status.version' },
    { name: 'Status', type: 'string', jsonPath: '.status.phase' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Message', type: 'string', jsonPath: '.status.message', wide: true },
  ],
  hasStatus: true,
});

export type Machine = ObjectOf<typeof machine>;
