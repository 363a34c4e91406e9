import { seededRandom } from '#base/random.ts';
import { seconds, type Clock } from '#base/time.ts';
import type { ClientFault } from '../faults/around-client.ts';
import { partition, type Partition } from '../faults/partition.ts';
import { requestFaults, type RequestFaults } from '../faults/request-faults.ts';
import { watchFaults, type WatchFaults } from '../faults/watch-faults.ts';
import type { RegistrationHappening } from './plan-registration-world.ts';

export type NetworkHappening = Extract<
  RegistrationHappening,
  { type: 'fail-requests' | 'lose-watches' | 'hold' | 'repeat-events' | 'compact' | 'partition' }
>;

const types: ReadonlySet<string> = new Set<NetworkHappening['type']>([
  'fail-requests',
  'lose-watches',
  'hold',
  'repeat-events',
  'compact',
  'partition',
]);

export const isNetworkHappening = (happening: RegistrationHappening): happening is NetworkHappening =>
  types.has(happening.type);

/** What happens between the processes of a world, one after the other, and its server. */
export class NetworkFaults {
  readonly #clock: Clock;
  readonly #watches: WatchFaults;
  readonly #requests: RequestFaults;
  readonly #link: Partition;

  constructor(clock: Clock, seed: number) {
    this.#clock = clock;
    this.#watches = watchFaults(seededRandom(seed + 1));
    this.#requests = requestFaults(seededRandom(seed + 2), clock);
    this.#link = partition(clock);
  }

  get faults(): readonly ClientFault[] {
    return [this.#requests, this.#watches, this.#link];
  }

  get count(): RequestFaults['count'] {
    return this.#requests.count;
  }

  /** `compact`: makes the server forget older positions. */
  begin(happening: NetworkHappening, compact: () => void): void {
    switch (happening.type) {
      case 'fail-requests':
        return this.#requests.begin(happening.seconds, happening.share);
      case 'lose-watches':
        return this.#watches.lose(happening.isGone);
      case 'hold':
        this.#watches.hold([happening.plural]);
        return this.#later(happening, () => this.#watches.release());
      case 'repeat-events':
        this.#watches.repeat(happening.share);
        return this.#later(happening, () => this.#watches.repeat(0));
      case 'compact':
        compact();
        return this.#watches.lose(false);
      case 'partition':
        this.#link.cutOff();
        return this.#later(happening, () => this.#link.heal());
    }
  }

  end(): void {
    this.#requests.end();
    this.#watches.release();
    this.#watches.repeat(0);
    this.#link.heal();
  }

  #later({ seconds: span }: { readonly seconds: number }, task: () => void): void {
    this.#clock.after(seconds(span), task);
  }
}
