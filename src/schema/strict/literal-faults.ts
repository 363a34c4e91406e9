/** The texts of Go's parsers for values that JSON carries as strings; undefined when the value is right. */

const quantityForm = /^[+-]?\d*\.?\d*([eEinumkKMGTP]*[-+]?\d*)$/;
const quantitySuffix = /^(|[numkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)$/;

export function quantityFault(text: string): string | undefined {
  const match = text === '' ? null : quantityForm.exec(text);
  if (match === null) {
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  }
  return quantitySuffix.test(match[1] ?? '') ? undefined : "unable to parse quantity's suffix";
}

const wellFormedBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function base64Fault(text: string): string | undefined {
  if (text.length % 4 === 0 && wellFormedBase64.test(text)) return undefined;
  const at = illegalBase64At(text);
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`;
}

/** Line ends are allowed anywhere; everything else comes in groups of four, the last one padded. */
function illegalBase64At(text: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\n' || char === '\r') continue;
    if (char === '=') return illegalPaddingAt(text, at, inGroup);
    if (!/[A-Za-z0-9+/]/.test(char)) return at;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

function illegalPaddingAt(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at;
  let next = behindLineEnds(text, at + 1);
  if (inGroup === 2) {
    if (next === text.length) return text.length;
    if (text[next] !== '=') return next - 1;
    next = behindLineEnds(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function behindLineEnds(text: string, at: number): number {
  let next = at;
  while (text[next] === '\n' || text[next] === '\r') next += 1;
  return next;
}
