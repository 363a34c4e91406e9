import { formatTime, type Instant } from '#base/time.ts';
import type { LogLine } from './log-ring.ts';

/** Which lines, and how they are written: the options of `pods/log`. */
export type PodLogOptions = {
  readonly tailLines?: number | undefined;
  readonly since?: Instant | undefined;
  readonly timestamps?: boolean | undefined;
  readonly limitBytes?: number | undefined;
};

export function logText(lines: readonly LogLine[], options: PodLogOptions): string {
  const { since, tailLines, limitBytes } = options;
  const recent = since === undefined ? lines : lines.filter(({ at }) => at >= since);
  const kept = tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  const text = kept.map((line) => printLine(line, options)).join('');
  return limitBytes === undefined ? text : cut(text, limitBytes);
}

export function printLine({ at, text }: LogLine, { timestamps }: PodLogOptions): string {
  return timestamps === true ? `${nanoTime(at)} ${text}\n` : `${text}\n`;
}

/** Nine digits, as container runtimes write them. */
const nanoTime = (at: Instant): string =>
  formatTime(at).replace('Z', `.${String(Math.floor(at % 1000)).padStart(3, '0')}000000Z`);

/** The first bytes, without half a character at the end. */
function cut(text: string, bytes: number): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytes) return text;
  return new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true });
}
