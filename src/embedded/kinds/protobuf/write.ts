/** Writes protobuf: each function gives the bytes of one field, and a message is its fields one after the other. */
const encoder = new TextEncoder();

const lengthDelimited = 2;

export const textField = (number: number, text: string): Uint8Array =>
  bytesField(number, encoder.encode(text));

export const flagField = (number: number, flag: boolean): Uint8Array =>
  Uint8Array.from([...varint(number << 3), flag ? 1 : 0]);

export const messageField = (number: number, fields: readonly Uint8Array[]): Uint8Array =>
  bytesField(number, message(fields));

export function message(fields: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(fields.reduce((length, field) => length + field.length, 0));
  let at = 0;
  for (const field of fields) {
    whole.set(field, at);
    at += field.length;
  }
  return whole;
}

const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  message([Uint8Array.from([...varint((number << 3) | lengthDelimited), ...varint(bytes.length)]), bytes]);

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
