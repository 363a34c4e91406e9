/** Names that worlds give to workloads, pods, metrics, and to instances and their children. */
const nameStarts = /^(?:g|k|kuard|age)(?:-|$)/;

/**
 * What a complaint is about: its words without JSON, numbers and the names of objects. Two complaints with the same
 * words are of the same kind.
 */
export const complaintWords = (complaint: string): string =>
  complaint
    .replace(/[{[].*$/s, '')
    .split(/\s+/)
    .map((word) => word.replace(/^["'(]+|[.,:;"')]+$/g, ''))
    .filter((word) => word.length > 1 && !/[\d/@]/.test(word) && !nameStarts.test(word))
    .join(' ');
