/** The client closed the connection, or the server is closing, before the answer was complete. */
export class ClientGone extends Error {
  constructor() {
    super('the client went away');
    this.name = 'ClientGone';
  }
}
