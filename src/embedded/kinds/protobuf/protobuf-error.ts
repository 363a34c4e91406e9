/** Why bytes were refused: `kind` means a readable envelope around a kind that is not built in. */
export type ProtobufFault = 'empty' | 'prefix' | 'kind' | 'malformed';

/** The only error that decoding throws, whatever the bytes are. */
export class ProtobufError extends Error {
  readonly fault: ProtobufFault;
  constructor(fault: ProtobufFault, message: string) {
    super(message);
    this.name = 'ProtobufError';
    this.fault = fault;
  }
}

export const malformed = (message: string): ProtobufError =>
  new ProtobufError('malformed', `proto: ${message}`);
