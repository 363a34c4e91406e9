/** Somebody else listens on the port. */
export class PortTaken extends Error {
  readonly host: string;
  readonly port: number;
  constructor(host: string, port: number, cause: unknown) {
    super(`Port ${port} of ${host} is taken: stop the other program, or choose another port.`, { cause });
    this.name = 'PortTaken';
    this.host = host;
    this.port = port;
  }
}
