import { decodeProtobuf } from '#embedded/kinds/protobuf/decode.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import type { Effort } from './effort.ts';
import { encodeProtobuf } from './encode-protobuf.ts';
import type { FigureId } from './figures.ts';
import { fleet, fleetSchema } from './large-crd.ts';
import { ofTimes, type Measurement, type Timed } from './measurement.ts';
import { pod, podSpec } from './objects.ts';
import { median } from './statistics.ts';

/** The figures of single functions, called in this process: there is no server and no second opinion. */
export function inProcess(effort: Effort, wanted: ReadonlySet<FigureId>): readonly Measurement[] {
  const found: Measurement[] = [];
  if (wanted.has('crd-validate')) found.push(validation(effort));
  if (wanted.has('decode-pod')) found.push(decoding(effort));
  return found;
}

/** What a create does with a custom object. */
function validation(effort: Effort): Measurement {
  const { prune, defaults, validate } = compileSchema(fleetSchema());
  const text = JSON.stringify(fleet);
  const once = (): void => {
    const errors = validate(defaults(prune(fleet)));
    if (errors.length > 0) throw new Error(`the object does not fit its schema: ${JSON.stringify(errors)}`);
  };
  const began = performance.now();
  once();
  const firstMicros = (performance.now() - began) * 1000;
  return ofTimes('crd-validate', timesOf(once, effort), { firstMicros, bytes: text.length });
}

function decoding(effort: Effort): Measurement {
  const spec = podSpec('shop', 0, ['server', 'proxy', 'metrics']);
  const bytes = encodeProtobuf({ ...pod('shop-00-7d9c5b6f4d-00000', 0), spec });
  const once = (): void => {
    if (decodeProtobuf(bytes).kind !== 'Pod') throw new Error('the pod was not decoded as one');
  };
  return ofTimes('decode-pod', timesOf(once, effort), { bytes: bytes.length });
}

const callsPerLook = 20;

/**
 * Each round is the median of short runs, so that what else the machine does in between does not count; the
 * processor time counts everything, the collecting of garbage too. The first round only warms up.
 */
function timesOf(act: () => void, { rounds, spinMillis }: Effort): readonly Timed[] {
  const times = Array.from({ length: rounds + 1 }, () => {
    const runs: number[] = [];
    const cpu = process.cpuUsage();
    const end = performance.now() + spinMillis;
    for (let began = performance.now(); began < end;) {
      for (let i = 0; i < callsPerLook; i++) act();
      const now = performance.now();
      runs.push(((now - began) * 1000) / callsPerLook);
      began = now;
    }
    const { user, system } = process.cpuUsage(cpu);
    return { value: median(runs), cpuMicros: (user + system) / (runs.length * callsPerLook) };
  });
  return times.slice(1);
}
