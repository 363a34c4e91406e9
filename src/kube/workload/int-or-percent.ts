import { isNumber, type Json } from '#base/json.ts';

/** A count, or a percentage of a whole. */
export function scaledValue(value: Json | undefined, whole: number, round: 'up' | 'down'): number {
  if (isNumber(value)) return Number(value);
  if (typeof value !== 'string') return 0;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined) return 0;
  const exact = (Number(percent) * whole) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
