import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JobStep, Material, MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import { readArchive } from './archive.ts';
import { archivedPath } from './archived-sources.ts';
import { digestOf } from './sources.ts';

type Sent = { readonly src: string; readonly digest: string };

/**
 * The same plan with files of our own to send: those of archives unpacked, and those that go along with scripts
 * copied. What lies beside a script may change while the operation runs, as a log does; all machines get the same.
 */
export async function withLocalCopies(plan: MachinePlan, folder: string): Promise<MachinePlan> {
  const copies = new Copies(folder);
  const stages = plan.stages.map((stage) => ({
    ...stage,
    steps: stage.steps.map((step) => withFiles(step, copies)),
  }));
  if (!(await copies.make())) return plan;
  return { ...plan, stages };
}

function withFiles(step: PlanStep, copies: Copies): PlanStep {
  if (step.kind === 'files') return { ...step, files: step.files.map((file) => copies.unpacked(file)) };
  if ((step.kind !== 'hook' && step.kind !== 'install') || step.materials === undefined) return step;
  return {
    ...step,
    materials: step.materials.map((file) =>
      archivedPath(file.src) === undefined && isBeside(step, file)
        ? copies.copied(file)
        : copies.unpacked(file),
    ),
  };
}

/** Not the script itself, which is sent as it was planned or not at all. */
const isBeside = ({ program }: JobStep, { name }: Material): boolean =>
  program.type === 'material' && program.name !== name;

class Copies {
  readonly #folder: string;
  readonly #archives = new Map<string, Map<string, string>>();
  readonly #contents = new Map<string, { readonly content: Buffer; readonly digest: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  unpacked<File extends Sent>(file: File): File {
    const archived = archivedPath(file.src);
    if (archived === undefined) return file;
    const src = this.#target(file.digest);
    const entries = this.#archives.get(archived.archive) ?? new Map<string, string>();
    this.#archives.set(archived.archive, entries.set(archived.entry, src));
    return { ...file, src };
  }

  copied(file: Material): Material {
    const read = this.#contents.get(file.src) ?? contentOf(file.src);
    if (read === undefined) return file;
    this.#contents.set(file.src, read);
    const { content, digest } = read;
    return { ...file, src: this.#target(digest), digest, size: content.length };
  }

  /** Whether there is anything that had to be made. */
  async make(): Promise<boolean> {
    if (this.#archives.size + this.#contents.size === 0) return false;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const { content, digest } of this.#contents.values()) {
      const sink = sinkOf(this.#target(digest));
      sink?.write(content);
      sink?.end();
    }
    for (const [archive, entries] of this.#archives)
      await readArchive(archive, ({ path }) => {
        const target = entries.get(path);
        return target === undefined ? undefined : sinkOf(target);
      });
    return true;
  }

  #target(digest: string): string {
    return join(this.#folder, digest.replace(/^sha256:/, ''));
  }
}

/** Undefined when the file was removed after planning; sending it reports the error. */
function contentOf(path: string): { readonly content: Buffer; readonly digest: string } | undefined {
  if (!existsSync(path)) return undefined;
  const content = readFileSync(path);
  return { content, digest: digestOf(content) };
}

/** Writes a file atomically. An existing file has the same content. */
function sinkOf(target: string): { write(piece: Buffer): void; end(): void } | undefined {
  if (existsSync(target)) return undefined;
  const file = openSync(`${target}.new`, 'w', 0o600);
  return {
    write: (piece) => void writeSync(file, piece),
    end() {
      closeSync(file);
      renameSync(`${target}.new`, target);
    },
  };
}
