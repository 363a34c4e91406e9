import type { JsonObject } from '#base/json.ts';
import { untypedShape } from '#kube/shape.ts';
import { strictErrors, strictMessage } from '#schema/strict/strict-errors.ts';
import type { Call } from '#embedded/server/request/call.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { unhandled, type DecodedBody } from './decode.ts';
import { expectedOf } from './expected.ts';
import type { FieldValidation } from './write-options.ts';

const mostDuplicates = 100;
const mostUnknown = 100;

/** Unknown and duplicate fields of a body are refused, warned about or ignored. */
export function judgeFields(call: Call, decoded: DecodedBody, validation: FieldValidation): void {
  if (validation === 'Ignore') return;
  const repeated = decoded.yamlDuplicates
    .slice(0, mostDuplicates)
    .map((line) => `  ${line}`)
    .join('\n');
  const faults = [
    ...(repeated === '' ? [] : [`yaml: unmarshal errors:\n${repeated}`]),
    ...faultsOf(call.resource, decoded.object, decoded.text),
  ];
  if (faults.length === 0) return;
  if (validation === 'Warn') {
    call.warnings.push(...faults);
    return;
  }
  const expected = expectedOf(call.resource);
  throw unhandled(expected, expected.kind, strictMessage(faults));
}

/** Unknown and duplicate fields of an object, as texts. */
export function faultsOf(
  resource: ApiResource,
  object: JsonObject,
  text: string | undefined,
): readonly string[] {
  const { source } = resource;
  if (source.type === 'builtin')
    return strictErrors({ text, object, shape: resource.shape(), custom: false });
  const repeated = strictErrors({ text, object, shape: untypedShape, custom: true });
  const unknown = source
    .unknownFields(object)
    .slice(0, mostUnknown)
    .map((path) => `unknown field ${JSON.stringify(path)}`);
  return [...repeated, ...unknown];
}
