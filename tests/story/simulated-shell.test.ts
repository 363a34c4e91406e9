import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { parseScript } from '#embedded/machines/shell/parse-script.ts';
import { itemScripts } from '#machines/decide/item-scripts.ts';
import { kubeadmScripts } from '#machines/decide/kubeadm/scripts.ts';
import { surveyProgram } from '#machines/decide/kubeadm/identity-script.ts';
import { bareMachine, runOn } from '../support/simulated-machine.ts';

/** Scripts that mean the same in the real shell and in ours. They work in an empty folder. */
const scripts = [
  'echo hello; echo "two  blanks" \'$x\'',
  'x=1; echo $x "$x" \'$x\' ${x} ${y:-none} ${y-none} "${x:+set}" a${x}b',
  'echo no newline at end | cat; printf "%s-%03d\\n" a 7 b 8',
  'printf "%s\\n" one "two three" | while read -r first rest; do echo "[$first][$rest]"; done',
  'false || echo or; true && echo and; ! false; echo $?',
  'if [ -e nothing ]; then echo yes; elif [ 3 -gt 2 ]; then echo three; else echo no; fi',
  'for x in a b "c d"; do [ "$x" = b ] && continue; echo "<$x>"; done; echo $?',
  'for x; do echo $x; done; set -- 1 2 "3 4"; for x; do echo $x; done; shift; echo $# "$1" "$@"',
  'n=; while [ "$n" != xxx ]; do n=${n}x; done; echo $n; until true; do echo never; done',
  'case abc in a*) echo starts ;; *) echo other ;; esac; case x in a|x) echo one;; esac; case "*" in "*") echo star;; esac',
  'f() { echo "in f: $1"; return 3; }; f arg; echo $?; f "$(f x)"',
  'greet() { printf "hi %s\\n" "$1"; }; out=$(greet you); echo "$out!"',
  'echo data > file; echo more >> file; cat < file; cat file | wc -l | tr -d " "; rm file; [ ! -e file ]; echo $?',
  'echo to stderr >&2; echo both 2>&1; echo dropped > /dev/null; ls nothing 2>/dev/null; [ $? -ne 0 ]; echo $?',
  'mkdir -p a/b; touch a/b/c a/d; for f in a/* a/b/*; do echo $f; done; echo a/x*; ls a; rm -rf a',
  'path=/etc/hooks/pre.sh; echo ${path##*/} ${path%/*} ${path%.sh} ${path#/etc} "${path%%/*}"',
  'cat <<EOF\nvalue: $((0))x\nEOF'.replace('$((0))x', '$HOME_IS_NOT_SET.'),
  "cat <<'EOF'\n$x stays\n  indented\nEOF\necho after",
  'set -e; false || true; if false; then :; fi; ! true || echo not; echo still here; false; echo never',
  'set -e; f() { false; echo in f; }; if f; then echo ok; fi; f; echo never',
  '(x=inner; echo $x; exit 4); echo $? "$x"; { echo grouped; } > g; cat g; rm g',
  'x=$(false); echo $?; y=$(exit 5) ; echo $?; echo $(echo a; echo b)',
  'value() { [ ! -f "$2" ] || sed -n "s/^$1=//p" "$2" | head -n 1; }; printf "a=1\\nb=2\\n" > f; value b f; value c f; value a none; rm f',
  'printf abc > f; sum=$(sha256sum < f); echo ${sum%% *}; sha256sum f | cut -d " " -f 1; rm f',
  'printf "x\\n*\\n" > f; grep -qxF "*" f && echo found; grep -v x f; grep -c . f; grep zzz f || echo none; rm f',
  'exit 7',
  'echo $(basename /a/b.txt .txt) $(dirname /a/b.txt) $(dirname x); cd /tmp; pwd',
  'echo a\\ b \\$x "q\\"q" a\\\nb # comment\n# whole line\necho end;',
  'command -v sh-that-is-not-there || echo missing; command -v cat > /dev/null && echo there',
  'printf "b\\na\\nb\\n" | sort | uniq; printf "b\\na\\nb\\n" | sort -u; seq 3 | tail -n 1; echo HELLO | tr A-Z a-z',
  'x="a b"; set -- $x; echo $#; set -- "$x"; echo $#; echo ${1:+--flag "$1"}',
  'echo one; exec echo two; echo three',
  'printf "%s" "no end" ; echo; printf \'a\\tb\\n\'; echo -n open; echo',
  'mkdir d; echo x > d/f; cp d/f d/g; mv d/g e; cat e; cp -r d c; ls c; rm -r d c e',
  '[ -z "" ] && [ -n x ] && [ a != b ] && [ ! -d nothing ] && echo all',
  'echo x=1 > env; . ./env; echo "$x"; rm env; unset x; echo "${x:-gone}"',
  'for i in 1 2 3; do if [ $i = 2 ]; then break; fi; echo $i; done',
  'echo "nested $(echo "inner $(echo deep)")"',
];

test.for(scripts)('as in the real shell: %s', async (script) => {
  using folder = tempDir();
  const real = spawnSync('/bin/sh', ['-c', script, 'sh'], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  const simulated = await runOn(bareMachine(), `cd /tmp\n${script}`);
  expect({ code: simulated.code, out: simulated.out }).toEqual({ code: real.status, out: real.stdout });
});

test('errors go to the error output', async () => {
  expect(await runOn(bareMachine(), 'echo fine; echo bad >&2; cat /none')).toEqual({
    code: 1,
    out: 'fine\n',
    err: 'bad\ncat: /none: no such file\n',
  });
});

test.for([
  ['sleep 1 &', 'commands in the background'],
  ['x=$((1 + 1))', 'arithmetic'],
  ['echo `date`', 'backquotes'],
  ['if true; then echo', 'fi is missing'],
  ['echo "open', '" is missing'],
  ['#!/usr/bin/env python3\nprint(1)', 'there is no python3 here'],
] as const)('%s is not run, counts as successful, and says why', async ([script, why]) => {
  const { code, out, err } = await runOn(bareMachine(), script);
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toContain('was not run');
  expect(err).toContain(why);
});

test('lines "# simulated:" replace a script in any language', async () => {
  const script = '#!/usr/bin/perl\n# simulated: echo "on $(hostname)"\ndie;\n  # simulated: exit 6\n';
  expect(await runOn(bareMachine(), script)).toEqual({ code: 6, out: 'on machine-1\n', err: '' });
});

test('a program that is not simulated is named, not run, and successful; a secret of its command line is hidden', async () => {
  expect(await runOn(bareMachine(), 'reboot --now && kubeadm join --tls-bootstrap-token abc.def')).toEqual({
    code: 0,
    out: '',
    err: '[simulated: reboot --now]\n[simulated: kubeadm join --tls-bootstrap-token ***]\n',
  });
});

test.for([
  'while true; do :; done',
  'f() { f; }; f',
  'x=xxxxxxxxxx; while true; do x=$x$x; echo $x; done',
  'while true; do echo y; done | cat',
])('%s can be ended from outside', async (script) => {
  const machine = bareMachine();
  const stop = new AbortController();
  const session = {
    command: script,
    input: (async function* () {})(),
    out: () => undefined,
    err: () => undefined,
    closed: stop.signal,
  };
  const running = machine.serve(session).catch(() => 'ended');
  setImmediate(() => stop.abort(new Error('enough')));
  expect(['ended', 2]).toContain(await running);
});

test('the shell understands every script of the kubeadm installer, and those that install items', () => {
  for (const script of [...Object.values(kubeadmScripts), ...Object.values(itemScripts), surveyProgram])
    expect(parseScript(script).length).toBeGreaterThan(0);
});
