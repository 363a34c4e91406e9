/** Something a decision wants said of its object: it becomes an event. */
export type Note = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

export const normal = (reason: string, message: string): Note => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): Note => ({ type: 'Warning', reason, message });
