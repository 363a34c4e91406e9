import { formatDuration } from '#base/duration.ts';
import { seconds } from '#base/time.ts';

/** To the second; a release is not planned more exactly. */
export const spanText = (span: number): string => formatDuration(seconds(Math.round(span)));

/** `1:02:03` or `2:03`. */
export function clockText(at: number): string {
  const whole = Math.round(at);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
