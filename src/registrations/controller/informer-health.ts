import type { KubeClient } from '#edge/kube/client.ts';
import type { Report } from '#loop/report.ts';

type Follower = Pick<KubeClient, 'pages' | 'list' | 'watch'>;

/** So many failed attempts in a row are no hiccup. */
const manyFailures = 2;

/** Whether informers can follow the server, and if not, why. */
export class InformerHealth {
  /** Why a resource cannot be followed, by its name. */
  readonly #troubles = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Undefined while all is well. */
  get problem(): string | undefined {
    const [first] = this.#troubles;
    return first === undefined ? undefined : `${first[0]} cannot be followed: ${first[1]}`;
  }

  /** A client that notices what succeeds. */
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

  /** A report that notices what fails. */
  hearing(report: Report): Report {
    return (message, fields) => {
      report(message, fields);
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
