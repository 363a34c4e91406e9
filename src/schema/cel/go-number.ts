/** A double as Go's `%g` writes it: the fewest digits, and an exponent from a million on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  return exponent < -4 || exponent >= 6 ? withExponent(digits, exponent) : plain(value);
}

const withExponent = (digits: string, exponent: number): string =>
  `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

/** Without an exponent, whatever JavaScript thinks of small numbers. */
function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', power = '0'] = text.split('e');
  return value.toFixed(Math.min(100, (digits.split('.')[1] ?? '').length - Number(power)));
}
