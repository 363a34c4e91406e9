import { isIPv6 } from 'node:net';
import { ExitError } from '#command/exit.ts';
import { placeOf, type ListenPlace } from '#command/metrics-server.ts';

/** Where logs are served unless `--log-address` is given: on loopback, at a free port. */
const usualLogPlace: ListenPlace = { host: '127.0.0.1', port: 0 };

/** The variable of a pod with its address has no brackets, which an address of IPv6 needs before a port. */
function bracketed(address: string): string {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, colon));
  return isIPv6(host) ? `[${host}]${address.slice(colon)}` : address;
}

/** `--log-address`: the address that is published to clients, so they must be able to connect to it. */
export function logPlaceOf(address: string | undefined): ListenPlace {
  if (address === undefined) return usualLogPlace;
  const place = placeOf('--log-address', bracketed(address));
  if (place.host !== '0.0.0.0' && !/^[0:]+$/.test(place.host)) return place;
  throw new ExitError(
    2,
    `--log-address ${address} is not an address that clients can connect to: give one of this machine or pod, such as $(POD_IP):7444`,
  );
}
