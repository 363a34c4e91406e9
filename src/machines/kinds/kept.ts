import { Type } from '#schema/kind/type.ts';
import { anyValue } from '#schema/kind/field.ts';

/**
 * Fields of TKEStack that nothing here reads. They are named, so that its objects are taken as they are while a slip of
 * the pen in a name is still an unknown field.
 */
const kept = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      Type.Optional(anyValue({ description: 'Field of TKEStack. Boathook ignores it.' })),
    ]),
  );

export const keptOfCluster = kept([
  'finalizers',
  'networkType',
  'networkDevice',
  'networkArgs',
  'properties',
  'dockerExtraArgs',
  'kubeletExtraArgs',
  'apiServerExtraArgs',
  'controllerManagerExtraArgs',
  'schedulerExtraArgs',
  'clusterCredentialRef',
  'etcd',
  'hostnameAsNodename',
  'scalingMachines',
  'bootstrapApps',
  'appVersion',
]);

export const keptOfFeatures = kept([
  'ipvs',
  'publicLB',
  'internalLB',
  'gpuType',
  'enableMasterSchedule',
  'ha',
  'csiOperator',
  'authzWebhookAddr',
  'enableMetricsServer',
  'ipv6DualStack',
  'enableCilium',
  'containerRuntime',
]);

export const keptOfMachine = kept(['finalizers']);
