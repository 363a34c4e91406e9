import { isObject, textAt } from '#base/json.ts';
import { ReconcileRequestSchema, type ReconcileRequest } from '#registrations/kinds/hook-protocol.ts';
import { readSafeJson } from '#registrations/kinds/safe-json.ts';
import { toStructuralSchema } from '#schema/kind/structural.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import type { PayloadForm } from './hook-definition.ts';

const schema = compileSchema(toStructuralSchema(ReconcileRequestSchema));

/** The request, or what is wrong with it. */
export function readRequest(body: string, payload: PayloadForm = 'reference'): ReconcileRequest | string {
  const json = readSafeJson(body);
  if (json.type === 'problem') return `the request ${json.message}`;
  if (!isObject(json.value)) return 'the request is not an object';
  const [error] = schema.validate(json.value);
  if (error !== undefined) return `the request is not a reconcile request: ${error.field}: ${error.message}`;
  const request = withReference(json.value as unknown as ReconcileRequest);
  return payload === 'full' && request.object.metadata === undefined
    ? 'the request contains only a reference, but this hook needs the whole instance: set payload: full in spec.hook of the registration'
    : request;
}

/** Older versions of `payload: full` send the reference in the metadata only. */
function withReference(request: ReconcileRequest): ReconcileRequest {
  const { object } = request;
  const namespace = textAt(object, 'namespace') ?? textAt(object.metadata, 'namespace') ?? '';
  const name = textAt(object, 'name') ?? textAt(object.metadata, 'name') ?? '';
  return { ...request, object: { ...object, namespace, name } };
}
