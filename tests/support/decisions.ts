const sections = ['Context', 'Decision', 'Consequences', 'What would change our mind'];

/** What is wrong with the decision records, given as file names and texts in the order of their names. */
export function badDecisions(
  records: readonly { readonly name: string; readonly text: string }[],
): readonly string[] {
  const names = new Set(records.map(({ name }) => name));
  return records.flatMap(({ name, text }, index) => {
    const number = String(index + 1).padStart(4, '0');
    const complaints: string[] = [];
    if (!new RegExp(`^${number}-[a-z0-9]+(-[a-z0-9]+)*\\.md$`).test(name))
      complaints.push(`is not number ${number}`);
    if (!text.startsWith(`# ${number}. `)) complaints.push(`does not begin with "# ${number}. "`);
    const status = /^Status: (.+)$/m.exec(text)?.[1] ?? '';
    if (!isStatus(status, names)) complaints.push(`has the status "${status}"`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    for (const section of sections) {
      if (!headings.includes(section)) complaints.push(`lacks the section "${section}"`);
    }
    return complaints.map((complaint) => `${name} ${complaint}`);
  });
}

function isStatus(status: string, names: ReadonlySet<string>): boolean {
  if (/^(proposed|accepted|rejected)$/.test(status)) return true;
  const successor = /^superseded by \[\d{4}\]\(([^)]+)\)$/.exec(status)?.[1];
  return successor !== undefined && names.has(successor);
}
