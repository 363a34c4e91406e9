import type { JsonObject } from '#base/json.ts';
import { isObject } from '#base/json.ts';
import type { FieldSet } from '#embedded/server/managed-fields/field-set.ts';
import { leaf } from '#embedded/server/managed-fields/field-set.ts';
import { trackUpdate } from '#embedded/server/managed-fields/managed-fields.ts';
import { trackScale } from '#embedded/server/managed-fields/scale.ts';
import type { KubeObject } from '#kube/object.ts';
import { builtinType } from '#schema/types/builtin-types.ts';
import { zeroOfType } from '#schema/types/presence.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';

export type Writer = {
  readonly resource: ApiResource;
  readonly manager: string;
  /** Empty for the main endpoint. */
  readonly subresource: string;
};

/** The object with managedFields as they stand after this write. */
export function owned(
  context: ServerContext,
  writer: Writer,
  after: KubeObject,
  before: KubeObject | undefined,
): KubeObject {
  const { resource, manager, subresource } = writer;
  const update = {
    shape: resource.shape(),
    before,
    after,
    manager,
    apiVersion: resource.apiVersion,
    now: context.clock.now(),
    zero: zeroOf(resource),
    ignore: unwritten(resource, subresource),
  };
  return subresource === 'scale' ? trackScale(update) : trackUpdate({ ...update, subresource });
}

/** Members that a built-in type always prints have no manager. */
export function zeroOf({ source }: ApiResource): JsonObject | undefined {
  if (source.type === 'custom') return undefined;
  const type = builtinType(source.typeName);
  const zero = type === undefined ? undefined : zeroOfType(type);
  return isObject(zero) ? zero : undefined;
}

const statusOnly: FieldSet = { 'f:status': leaf };
const allButStatus: FieldSet = { 'f:spec': leaf };

/** Fields that an endpoint does not write. */
export function unwritten(resource: ApiResource, subresource: string): FieldSet | undefined {
  if (subresource === 'status') return allButStatus;
  return resource.rules.hasStatus ? statusOnly : undefined;
}
