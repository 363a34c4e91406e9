import { EventEmitter, once } from 'node:events';
import { instant, seconds } from '#base/time.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { HttpsApi } from './https-api.ts';
import { ReleaseObserver, type Seen } from './release-observer.ts';

const game = '/apis/tkex.tencent.com/v1alpha1/namespaces/default';
const watched = ['/api/v1/namespaces/default/pods', `${game}/hookruns`, `${game}/gamedeployments`];

/** Everything that happens to releases of a real server, from now on. */
export type ReleaseHistory = {
  /** Settles after so many more changes. */
  more(count: number): Promise<void>;
  /** The observer's judgement of all changes so far, in the order of the server. */
  judge(): ReleaseObserver;
};

/** Watches in real time; each watch is in order by itself, and versions put them in one order. */
export function followReleases(api: HttpsApi): ReleaseHistory {
  const seen: Seen[] = [];
  const heard = new EventEmitter();
  const follow = async (path: string): Promise<void> => {
    for await (const { type, object } of api.watch(`${path}?watch=true`)) {
      if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') continue;
      seen.push({ type, object: object as KubeObject, at: instant(Date.now()) });
      heard.emit('change');
    }
  };
  // They end with the server.
  for (const path of watched) follow(path).catch(() => undefined);
  return {
    async more(count) {
      for (const wanted = seen.length + count; seen.length < wanted;) await once(heard, 'change');
    },
    judge() {
      const observer = new ReleaseObserver({ patience: seconds(1) });
      const version = ({ object }: Seen): number => Number(resourceVersionOf(object));
      for (const each of seen.toSorted((left, right) => version(left) - version(right))) observer.see(each);
      return observer;
    },
  };
}
