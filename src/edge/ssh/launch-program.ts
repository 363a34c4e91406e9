import { processFunctions } from './process-functions.ts';
import { quote } from './quote.ts';

/** A file of a job's folder. */
export type JobFile = { readonly path: string; readonly content: Uint8Array; readonly executable: boolean };

/** A file of the node that a job gets a copy of, below its folder; it must have this digest. */
export type JobCopy = {
  readonly from: string;
  readonly to: string;
  readonly size: number;
  readonly mode: number;
  readonly digest: string;
};

/** Files of the node that are copied into a job's folder: the content of a folder, and single files. */
export type JobSources = { readonly copyOf?: string | undefined; readonly copies?: readonly JobCopy[] };

/**
 * Makes a job's folder, starts its runner and follows it; a folder that is there already belongs to the same job,
 * which is then followed instead. It runs in the node's agent, whose functions it uses.
 */
export const launchProgram = (
  folder: string,
  files: readonly JobFile[],
  { copyOf, copies = [] }: JobSources = {},
): string => `
fail() {
  free=$(df -Pk . 2>/dev/null | { read -r head; read -r disk size used free rest; echo "$free"; })
  cd / && rm -rf ${quote(folder)}
  printf 'X outcome=unstaged free=%s\\n' "$free"
  exit 0
}
# Number, from, to, size, mode, digest. Read to its size and no further, and without waiting: whoever may write where
# it was delivered may have put a pipe or a device there.
copy_in() {
  mkdir -p "\${3%/*}" || fail
  dd if="$2" of="$3" bs=65536 count=$(($4 + 1)) iflag=count_bytes,fullblock,nonblock status=none 2>/dev/null
  sum=$(sha256sum <"$3")
  if [ "\${sum%% *}" != "$6" ]; then
    if [ -f "$2" ] && [ "$(stat -c %s "$3")" -lt "$4" ]; then sum=$(sha256sum <"$2"); fi
    [ "\${sum%% *}" != "$6" ] || fail
    cd / && rm -rf ${quote(folder)}
    printf 'X outcome=changed index=%s\\n' "$1"
    exit 0
  fi
  chmod "$5" "$3" || fail
}
stage() {
  mkfifo bell out.pipe err.pipe || fail
  : >stdout || fail
  : >stderr || fail
${copyOf === undefined ? '' : folderLine(copyOf)}
${files.map(stageLine).join('\n')}
${copies.map(copyLine).join('\n')}
}
# Staged and never started: its launcher was cut off, and its runner, should it still come, finds a newer counter.
if [ -d ${quote(folder)} ] && [ ! -e ${quote(`${folder}/runner.pid`)} ]; then rm -rf ${quote(folder)}; fi
if [ ! -d ${quote(folder)} ]; then
  mkdir ${quote(folder)} ${quote(`${folder}/work`)} && cd ${quote(folder)} || fail
  stage
  setsid /bin/sh ./runner </dev/null >/dev/null 2>&1 &
fi
cd ${quote(folder)} 2>/dev/null || fail
follow 20
`;

/** Reports the state of a job, and follows it while it runs. Runs in the node's agent. */
export const askProgram = (folder: string): string => `
cd ${quote(folder)} 2>/dev/null || { printf 'X outcome=absent\\n'; exit 0; }
if [ ! -s runner.pid ]; then printf 'X outcome=absent\\n'; exit 0; fi
follow 0
`;

/**
 * Puts a copy of the folder of a job that has ended where another operation looks for it. The operation that started
 * the job may be resumed and looks for it too. Links are enough: nobody writes to the files of a job that has ended.
 * What lies there and was never started gives way.
 */
export const adoptProgram = `
if [ -d "$2" ] && [ ! -e "$2/runner.pid" ]; then rm -rf "$2"; fi
[ -e "$1/exit" ] && [ ! -e "$2" ] && umask 077 && mkdir -p "\${2%/*}" && rm -rf "$2.part" || exit 1
cp -RlT "$1" "$2.part" 2>/dev/null || { rm -rf "$2.part" && cp -RT "$1" "$2.part"; } || exit 1
mv -T "$2.part" "$2"
`;

/** Ends a job: its runner does the rest. Again every second, since a signal between two commands may be missed. */
export const cancelProgram = (folder: string): string => `${processFunctions}
cd ${quote(folder)} 2>/dev/null || exit 0
boot_id
while [ ! -e exit ] && [ -s runner.pid ]; do
  read -r pid born then <runner.pid
  lives "$pid" "$born" "$then" || exit 0
  kill -s TERM "$pid"
  tries=0
  while [ ! -e exit ] && [ "$tries" -lt 20 ]; do sleep 0.05; tries=$((tries + 1)); done
done
`;

/** Ends a job, for people who type it on the machine. */
export const endCommand = (folder: string): string =>
  `kill -s TERM $(cut -d ' ' -f 1 ${quote(`${folder}/runner.pid`)})`;

/** Links are enough: what was delivered is replaced when it differs, never written to. */
const folderLine = (from: string): string => {
  const source = quote(`${from}/.`);
  return `  cp -RlT ${source} work 2>/dev/null || cp -RT ${source} work 2>/dev/null || fail`;
};

const copyLine = ({ from, to, size, mode, digest }: JobCopy, index: number): string =>
  `  copy_in ${index} ${quote(from)} ${quote(to)} ${size} ${mode.toString(8)} ${digest}`;

function stageLine({ path, content, executable }: JobFile): string {
  const text = plainText(content);
  const write =
    text === undefined
      ? `printf %s ${Buffer.from(content).toString('base64')} | base64 -d >${quote(path)}`
      : `printf %s ${quote(text)} >${quote(path)}`;
  const lines = [`  { ${write}; } 2>/dev/null || fail`];
  if (executable) lines.push(`  chmod 700 ${quote(path)} || fail`);
  return lines.join('\n');
}

/** The content as a text when a shell can hold it. */
function plainText(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    // Not UTF-8: the bytes travel as base64.
    return undefined;
  }
}
