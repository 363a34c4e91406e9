/** Why an instance cannot be rendered. Never leaves `renderInstance`. */
export class Unrenderable extends Error {
  readonly reason: 'RENDERFAILED' | 'REFERENCEREFUSED' | 'ADDRESSUNRESOLVED' | 'CONFIGMISSING';
  constructor(reason: Unrenderable['reason'], message: string) {
    super(message);
    this.name = 'Unrenderable';
    this.reason = reason;
  }
}
