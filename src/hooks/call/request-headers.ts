import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import { fillText } from '#hooks/decide/placeholders.ts';
import type { Secrets } from './secrets.ts';

export type Made<Value> =
  { readonly type: 'made'; readonly value: Value } | { readonly type: 'problem'; readonly message: string };

export const problem = (message: string): { readonly type: 'problem'; readonly message: string } => ({
  type: 'problem',
  message,
});

type Header = NonNullable<WebProvider['headers']>[number];
type Args = ReadonlyMap<string, string>;

/** The headers of a request, with lower-case names, replaced placeholders and checked values. */
export async function headersOf(
  headers: readonly Header[] = [],
  args: Args,
  secrets: Secrets,
): Promise<Made<Record<string, string>>> {
  const value: Record<string, string> = {};
  for (const header of headers) {
    const name = header.key.toLowerCase();
    const refusal = problemOfName(header.key);
    if (refusal !== undefined) return problem(refusal);
    const made = await valueOf(header, args, secrets);
    if (made.type === 'problem') return problem(`header ${header.key}: ${made.message}`);
    const text = made.value.trim();
    if (unsendable.test(made.value.replace(/\r?\n$/, '')))
      return problem(
        `header ${header.key}: its value contains a line break or another character that a header cannot carry`,
      );
    const before = value[name];
    value[name] = before === undefined ? text : `${before}, ${text}`;
  }
  return { type: 'made', value };
}

async function valueOf(header: Header, args: Args, secrets: Secrets): Promise<Made<string>> {
  const ref = header.valueFrom?.secretKeyRef;
  if (ref !== undefined) {
    const read = await secrets.read(ref.name, ref.key);
    if (read.type === 'missing') return problem(read.message);
    secrets.addField({ name: header.key, value: read.value });
    return { type: 'made', value: read.value };
  }
  const filled = fillText(header.value ?? '', args);
  return filled.type === 'filled' ? { type: 'made', value: filled.value } : filled;
}

const nameShape = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const unsendable = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** Headers that control the connection and the length of the body. */
const ours: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function problemOfName(name: string): string | undefined {
  if (!nameShape.test(name)) return `${JSON.stringify(name.slice(0, 80))} is not the name of a header`;
  if (ours.has(name.toLowerCase())) return `header ${name} is set by the connection itself: leave it out`;
  return undefined;
}
