/** Why a machine cannot be worked on. The message names the machine, the cause and what to do. */
export type SshFailure = {
  readonly type: 'unreachable' | 'login-refused' | 'host-key-refused' | 'sudo-missing';
  readonly message: string;
};

/** The machine sent an unexpected reply; the connection is closed. */
export class UnexpectedAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnexpectedAnswer';
  }
}

/** The connection broke while something was under way; what was started on the machine may still run there. */
export class ConnectionLost extends Error {
  constructor(what: string) {
    super(`The connection to ${what} was lost.`);
    this.name = 'ConnectionLost';
  }
}
