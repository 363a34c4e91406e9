import type { HostKeyBook } from '#machines/controller/machine-io.ts';
import { fingerprintOf, type HostKeys } from '#edge/ssh/host-keys.ts';

/** Keys of machines as an object pins them in its spec or has recorded them in its status. */
export const bookedHostKeys = (book: HostKeyBook): HostKeys => ({
  typesOf: () => [],
  judge({ address, port, hostKey }, key) {
    if (book.insecure) return { type: 'accepted' };
    const seen = fingerprintOf(key);
    const wanted = (hostKey ?? book.expected(address, port))?.replace(/=+$/, '');
    if (wanted === seen) return { type: 'accepted' };
    if (wanted === undefined) {
      book.seen(address, port, seen);
      return { type: 'recorded', fingerprint: seen };
    }
    const place = hostKey === undefined ? 'status.hostKeys has' : 'the spec pins';
    return {
      type: 'refused',
      message:
        `it shows the key ${seen}, but ${place} ${wanted}. Either the machine was reinstalled, or another host answers ` +
        `in its place. If the new key is correct, set it in spec.hostKeys: {"${address}": "${seen}"}`,
    };
  },
});
