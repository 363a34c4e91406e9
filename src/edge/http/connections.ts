import type { Socket } from 'node:net';
import { addressGroup } from './address-group.ts';
import type { ConnectionLimits } from './connection-limits.ts';

/** One open connection. */
export type Connection = {
  readonly socket: Socket;
  readonly address: string;
  /** Undefined until a user has authenticated. */
  user: string | undefined;
  /** Whether a response is still being sent. */
  isRunning: boolean;
  /** Pipelined requests: their responses must be sent in their order. */
  readonly waiting: (() => void)[];
  hasAsked: boolean;
};

/**
 * The open connections of a listener, oldest first. When too many have not authenticated, the one that has done
 * least is closed: a real client authenticates within its first request, whatever else comes from its address.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #strangers = new Set<Connection>();
  readonly #known = new Map<string, Set<Connection>>();
  /** By remote end: the socket of a TLS connection is another object than the one that was accepted. */
  readonly #byPeer = new Map<string, Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  #authenticated = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
    const peer = peerKey(socket);
    const address = addressGroup(socket.remoteAddress ?? '');
    const connection: Connection = {
      socket,
      address,
      user: undefined,
      isRunning: false,
      waiting: [],
      hasAsked: false,
    };
    this.#strangers.add(connection);
    this.#byPeer.set(peer, connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#strangers.delete(connection);
      if (connection.user !== undefined) this.#forget(connection, connection.user);
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    });
    this.#makeRoom(connection);
  }

  /** The connection of a request's socket, plain or TLS; undefined when it is already closed. */
  of(socket: Socket): Connection | undefined {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const found = this.#byPeer.get(peerKey(socket));
    if (found !== undefined) this.#bySocket.set(socket, found);
    return found;
  }

  /** Counts the connection as the user's; false when there is no room left for another one. */
  authenticate(connection: Connection, user: string): boolean {
    if (connection.user !== undefined) return true;
    if (connection.socket.destroyed) return true;
    const own = this.#known.get(user) ?? new Set();
    const { perUser, authenticated } = this.#limits;
    if (own.size >= perUser || this.#authenticated >= authenticated) {
      const idle = [...own].find((each) => !each.isRunning);
      if (idle === undefined) return false;
      idle.socket.destroy();
      this.#forget(idle, user);
    }
    this.#strangers.delete(connection);
    connection.user = user;
    own.add(connection);
    this.#known.set(user, own);
    this.#authenticated += 1;
    return true;
  }

  *all(): Generator<Socket> {
    for (const { socket } of this.#strangers) yield socket;
    for (const own of this.#known.values()) for (const { socket } of own) yield socket;
  }

  #forget(connection: Connection, user: string): void {
    const own = this.#known.get(user);
    if (own?.delete(connection) !== true) return;
    this.#authenticated -= 1;
    if (own.size === 0) this.#known.delete(user);
  }

  #makeRoom(newest: Connection): void {
    const { unauthenticated, unauthenticatedPerAddress } = this.#limits;
    if (this.#strangers.size <= unauthenticatedPerAddress) return;
    // Never the newest, which has not had its chance yet.
    const others = [...this.#strangers].filter((each) => each !== newest);
    const neighbours = others.filter(({ address }) => address === newest.address);
    if (neighbours.length >= unauthenticatedPerAddress) this.#close(idlest(neighbours));
    else if (others.length >= unauthenticated) this.#close(idlest(others));
  }

  #close(connection: Connection | undefined): void {
    if (connection === undefined) return;
    this.#strangers.delete(connection);
    connection.socket.destroy();
  }
}

const peerKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress}|${remotePort}`;

/** Who has done least, and of several the oldest. */
function idlest(connections: Iterable<Connection>): Connection | undefined {
  let found: Connection | undefined;
  for (const each of connections) if (found === undefined || progress(each) < progress(found)) found = each;
  return found;
}

/** A connection with a request but no user counts as little as one without a request. */
function progress({ isRunning, hasAsked, socket }: Connection): number {
  if (isRunning) return 2;
  return !hasAsked && socket.bytesRead > 0 ? 1 : 0;
}
