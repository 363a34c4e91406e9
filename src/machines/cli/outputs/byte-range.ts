/** A part of a file as the header Range names it: from a byte on, or so many bytes at the end. */
export type ByteRange =
  | { readonly type: 'from'; readonly first: number; readonly last: number | undefined }
  | { readonly type: 'last'; readonly count: number };

/** Undefined without a header; `invalid` for one that is not understood. */
export function byteRange(header: string | undefined): ByteRange | 'invalid' | undefined {
  if (header === undefined) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '') return last === '' ? 'invalid' : { type: 'last', count: Number(last) };
  const end = last === '' ? undefined : Number(last);
  return end !== undefined && end < Number(first)
    ? 'invalid'
    : { type: 'from', first: Number(first), last: end };
}
