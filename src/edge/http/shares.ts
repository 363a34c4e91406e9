import { ByteBudget } from './byte-budget.ts';
import { connectionLimitsOf, type ConnectionLimits } from './connection-limits.ts';
import { Connections } from './connections.ts';
import { FairTurns, type TurnLimits } from './fair-turns.ts';
import { openFileLimit } from '#edge/open-file-limit.ts';

/** What a listener gives its clients at most. Times are in milliseconds. */
export type ListenLimits = ConnectionLimits &
  TurnLimits & {
    /** Until TLS is agreed on. */
    readonly handshakeTime: number;
    /** Until the head of a request is complete. */
    readonly headTime: number;
    /** Until the body of a request is complete. */
    readonly requestTime: number;
    /** Until an idle connection is closed. */
    readonly idleTime: number;
    /** Until a connection is closed that reads no byte of its response. */
    readonly unreadTime: number;
    /** Limit of pending response bytes, in total and of one user. */
    readonly unreadBytes: number;
    readonly unreadBytesPerUser: number;
    /** Bytes of request bodies that are being worked on, and those of one user. */
    readonly bodyBytes: number;
    readonly bodyBytesPerUser: number;
  };

const mib = 1024 * 1024;

export const standardLimits = (): ListenLimits => ({
  ...connectionLimitsOf(openFileLimit()),
  waiting: 4000,
  waitingPerUser: 1000,
  handshakeTime: 10_000,
  headTime: 30_000,
  requestTime: 120_000,
  idleTime: 120_000,
  unreadTime: 60_000,
  unreadBytes: 256 * mib,
  unreadBytesPerUser: 128 * mib,
  bodyBytes: 256 * mib,
  bodyBytesPerUser: 128 * mib,
});

/** What the requests of one listener share. */
export type Shares = {
  readonly connections: Connections;
  readonly turns: FairTurns;
  readonly unread: ByteBudget;
  readonly bodies: ByteBudget;
};

export const openShares = (limits: ListenLimits): Shares => ({
  connections: new Connections(limits),
  turns: new FairTurns(limits),
  unread: new ByteBudget(limits.unreadBytes, limits.unreadBytesPerUser),
  bodies: new ByteBudget(limits.bodyBytes, limits.bodyBytesPerUser),
});
