/** A part of a word of a script. */
export type ShellPart =
  /** As it stands; `*`, `?` and `[` outside of quotes are patterns. */
  | { readonly type: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** `$name`, or `${name<operator>word}`; the operator is empty without one. */
  | {
      readonly type: 'variable';
      readonly name: string;
      readonly operator: string;
      readonly word: ShellWord;
      readonly isQuoted: boolean;
    }
  /** `$(…)` */
  | { readonly type: 'command'; readonly script: ShellScript; readonly isQuoted: boolean };

export type ShellWord = readonly ShellPart[];

export type ShellRedirect = {
  readonly fd: number;
  /** `here`: the word is the input itself. */
  readonly how: 'write' | 'append' | 'read' | 'copy' | 'here';
  readonly word: ShellWord;
};

type Simple = {
  readonly type: 'simple';
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly words: readonly ShellWord[];
};

type Compound =
  | { readonly type: 'group' | 'subshell'; readonly body: ShellScript }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly condition: ShellScript; readonly body: ShellScript }[];
      readonly otherwise: ShellScript;
    }
  | {
      readonly type: 'while';
      readonly isUntil: boolean;
      readonly condition: ShellScript;
      readonly body: ShellScript;
    }
  | {
      readonly type: 'for';
      readonly name: string;
      /** Undefined: the arguments. */
      readonly words: readonly ShellWord[] | undefined;
      readonly body: ShellScript;
    }
  | {
      readonly type: 'case';
      readonly subject: ShellWord;
      readonly branches: readonly { readonly patterns: readonly ShellWord[]; readonly body: ShellScript }[];
    };

export type ShellCommand =
  | ((Simple | Compound) & { readonly redirects: readonly ShellRedirect[] })
  | { readonly type: 'function'; readonly name: string; readonly body: ShellCommand };

export type ShellPipeline = { readonly isNegated: boolean; readonly commands: readonly ShellCommand[] };

/** Pipelines joined by `&&` and `||`; `when` is the operator before a pipeline. */
export type ShellList = readonly {
  readonly when: 'always' | '&&' | '||';
  readonly pipeline: ShellPipeline;
}[];

export type ShellScript = readonly ShellList[];

/** A script uses something that this shell does not have. */
export class NotUnderstood extends Error {
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
    this.name = 'NotUnderstood';
  }
}
