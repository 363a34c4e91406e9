/** The reason of an abort when a run needs no more answers. A process that stops aborts with another reason. */
export class RunEnded extends Error {
  constructor() {
    super('the run needs no more answers');
    this.name = 'RunEnded';
  }
}
