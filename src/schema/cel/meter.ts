/** What one object's rules may still do: costs as the server counts them, and work as this machine feels it. */
export type Meter = {
  /** Cost of the expression that runs now. */
  cost: number;
  /** What that expression may cost. */
  limit: number;
  /** Steps that all expressions together may still take. */
  work: number;
};

/** The server's limit for one expression. */
const perCallLimit = 1_000_000;
/** kube-apiserver's cost of comparing large objects is almost zero; here it would block other requests. */
const mostWork = 10_000_000;

export const newMeter = (): Meter => ({ cost: 0, limit: perCallLimit, work: mostWork });

/** Stops an expression. Thrown and not returned: nothing inside of an expression may absorb it. */
export class Exhausted extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'Exhausted';
  }
}

export function charge(meter: Meter, cost: number): void {
  meter.cost += cost;
  if (meter.cost > meter.limit) throw new Exhausted();
}

export function work(meter: Meter, steps: number): void {
  meter.work -= steps;
  if (meter.work < 0) throw new Exhausted();
}
