import { parseJson } from '#base/json-text.ts';
import { enoughErrors } from '#kube/field-error.ts';
import { untypedShape, type Shape } from '#kube/shape.ts';
import { skipSpace, skipValue, stringEnd } from './json-text.ts';
import { deepest, memberPath } from './unknown-fields.ts';

export type StrictFault = { readonly type: 'unknown' | 'duplicate'; readonly path: string };

/**
 * Unknown and repeated members of a valid JSON text, in the order of the text. With a shape only what the
 * shape has is checked, as a decoder into typed structs does; without one, everything is.
 */
export function textFaults(text: string, shape: Shape | undefined): readonly StrictFault[] {
  const faults: StrictFault[] = [];
  const report = (type: StrictFault['type'], path: string): void => {
    if (faults.length < enoughErrors) faults.push({ type, path });
  };
  const walk: Walk = { text, at: 0, report };
  readValue(walk, shape, { path: '', depth: 0 });
  return faults;
}

type Walk = {
  readonly text: string;
  at: number;
  readonly report: (type: StrictFault['type'], path: string) => void;
};
type Place = { readonly path: string; readonly depth: number };

function readValue(walk: Walk, shape: Shape | undefined, place: Place): void {
  walk.at = skipSpace(walk.text, walk.at);
  const first = walk.text[walk.at];
  if (place.depth <= deepest && first === '{' && opensObject(shape)) readObject(walk, shape, place);
  else if (place.depth <= deepest && first === '[' && opensList(shape)) readList(walk, shape, place);
  else walk.at = skipValue(walk.text, walk.at);
}

const opensObject = (shape: Shape | undefined): boolean =>
  shape === undefined || shape.type === 'struct' || shape.type === 'map';
const opensList = (shape: Shape | undefined): boolean => shape === undefined || shape.type === 'list';

function readObject(walk: Walk, shape: Shape | undefined, { path, depth }: Place): void {
  const seen = new Set<string>();
  eachPart(walk, '}', () => {
    const name = readName(walk);
    const here = memberPath(path, name);
    const inner = memberShape(shape, name);
    if (inner === 'unknown') walk.report('unknown', here);
    else if (seen.has(name)) walk.report('duplicate', here);
    seen.add(name);
    walk.at = skipSpace(walk.text, walk.at) + 1;
    readValue(walk, inner === 'unknown' ? untypedShape : inner, { path: here, depth: depth + 1 });
  });
}

function memberShape(shape: Shape | undefined, name: string): Shape | 'unknown' | undefined {
  if (shape?.type === 'map') return shape.value();
  if (shape?.type !== 'struct') return undefined;
  const field = shape.field(name);
  return field === undefined ? (shape.open ? untypedShape : 'unknown') : field.shape();
}

function readList(walk: Walk, shape: Shape | undefined, { path, depth }: Place): void {
  const item = shape?.type === 'list' ? shape.item() : undefined;
  let i = 0;
  eachPart(walk, ']', () => {
    readValue(walk, item, { path: `${path}[${i}]`, depth: depth + 1 });
    i += 1;
  });
}

/** Calls `read` at each part between the commas, and steps over the closing bracket. */
function eachPart(walk: Walk, close: string, read: () => void): void {
  walk.at = skipSpace(walk.text, walk.at + 1);
  while (walk.at < walk.text.length && walk.text[walk.at] !== close) {
    read();
    walk.at = skipSpace(walk.text, walk.at);
    if (walk.text[walk.at] === ',') walk.at = skipSpace(walk.text, walk.at + 1);
  }
  walk.at += 1;
}

function readName(walk: Walk): string {
  const from = walk.at;
  walk.at = stringEnd(walk.text, from);
  return parseJson(walk.text.slice(from, walk.at)) as string;
}
