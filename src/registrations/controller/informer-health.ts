import type { KubeClient } from '#edge/kube/client.ts';
import type { Report } from '#loop/report.ts';

type Follower = Pick<KubeClient, 'pages' | 'list' | 'watch'>;

/** One failed attempt may be a hiccup. */
const manyFailures = 2;

/** Whether the informers can list and watch, and if not, why. */
export class InformerHealth {
  /** Why a resource cannot be listed or watched, by its plural name. */
  readonly #troubles = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Undefined while all informers work. */
  get problem(): string | undefined {
    const [first] = this.#troubles;
    return first === undefined ? undefined : `${first[0]} cannot be watched: ${first[1]}`;
  }

  /** A client that records successful requests. */
  watching(client: Follower): Follower {
    const well = (plural: string): void => {
      this.#failures.delete(plural);
      if (this.#troubles.delete(plural)) this.#changed();
    };
    return {
      list: client.list,
      pages: async function* (resource, selection, signal) {
        for await (const page of client.pages(resource, selection, signal)) {
          if (page.type === 'page') well(resource.plural);
          yield page;
        }
      },
      watch: async function* (resource, options, signal) {
        for await (const event of client.watch(resource, options, signal)) {
          if (!('code' in event)) well(resource.plural);
          yield event;
        }
      },
    };
  }

  /** A report that records failed requests. */
  hearing(report: Report): Report {
    return (message, fields, level) => {
      report(message, fields, level);
      const { resource, why } = fields;
      if (typeof resource !== 'string' || typeof why !== 'string') return;
      const failures = (this.#failures.get(resource) ?? 0) + 1;
      this.#failures.set(resource, failures);
      if (failures < manyFailures || this.#troubles.get(resource) === why) return;
      this.#troubles.set(resource, why);
      this.#changed();
    };
  }
}
