import { textAt } from '#base/json.ts';
import { aboutError, type Report } from '#loop/report.ts';

/** Complains about mistakes in the program that controllers report and try again. Errors of requests are expected. */
export class ProgramErrors {
  readonly complaints: string[] = [];

  readonly report: Report = (message, fields) => {
    const type = textAt(fields, 'error');
    if (type !== undefined) this.complaints.push(`${message}: ${type}: ${textAt(fields, 'why') ?? ''}`);
  };

  /** For what ends with an error that nobody reports. */
  readonly thrown = (error: unknown): void => this.report('a process ended', aboutError(error), 'error');
}

/** Complaints about an error that ends a process. */
export function programComplaints(error: unknown): readonly string[] {
  const mistakes = new ProgramErrors();
  mistakes.thrown(error);
  return mistakes.complaints;
}
