/**
 * Finds the commands of shell code whose effects are not analysed (docs/abilities.md, "Not analysed"). The reader knows
 * only as much of the syntax as it needs to find each command, and reports code that it cannot read.
 */
import { isHarmlessAwk, isHarmlessSed } from './filters.ts';
import { CODE_VARIABLES, HARMLESS_COMMANDS, INTERPRETERS, type Interpreter, PROGRAMS, WRAPPERS } from './harmless.ts';
import { type ScannedFiles, type Unanalysed, unanalysed } from './unanalysed.ts';

export interface ShellOptions {
  readonly scanned: ScannedFiles;
  /** True for code that is known to run in bash or zsh, where `((` is arithmetic. */
  readonly isBash: boolean;
}

/** Returns the commands that are not known to be harmless, and the code that cannot be read. Never throws. */
export function unanalysedInShell(text: string, options: ShellOptions): readonly Unanalysed[] {
  const commands: Command[] = [];
  const script: Script = { ...options, text, commands, found: [], functions: new Map(), dashed: new Set() };
  new Reader(script, text, 0, 0).readAll();
  // A command may contain code, whose commands are then judged, too.
  for (const command of commands) judge(script, command.words, command);
  return script.found;
}

interface Script extends ShellOptions {
  readonly text: string;
  readonly commands: Command[];
  readonly found: Unanalysed[];
  /** The functions that the code always defines, with their offsets. Their bodies are read like other code. */
  readonly functions: Map<string, number>;
  /** The variables with a value that begins with `-`, which may be an option. */
  readonly dashed: Set<string>;
}

interface Word {
  /** The text without quotes. Each expansion is replaced by `EXPANSION`. */
  readonly text: string;
  /** The name of the variable at the start of the word, if the word starts with one. */
  readonly variable: string | undefined;
  readonly isQuoted: boolean;
  /** The name of the variable if the word has the form of an assignment. */
  readonly assigned: string | undefined;
  /** The word as written. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

interface Command {
  readonly words: readonly Word[];
  /** True in braces, which are mostly the body of a function. */
  readonly isInBraces: boolean;
  /** True in code that another shell runs, in which the functions of the script are not defined. */
  readonly isElsewhere: boolean;
}

/** Stands for the value of an expansion. Files with this character are not text. */
const EXPANSION = '\0';

/** The maximum depth of nested code. */
const MAX_DEPTH = 40;

/** Reserved words that are followed by a command, with the change of the number of open blocks. */
const BEFORE_COMMAND: ReadonlyMap<string, number> = new Map([
  ...['then', 'elif', 'else', 'do', '!', 'esac', 'time', 'coproc'].map((word) => [word, 0] as const),
  ...['if', 'while', 'until', '{'].map((word) => [word, 1] as const),
  ...['fi', 'done', '}'].map((word) => [word, -1] as const),
]);

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]{0,400}\])?\+?=/;

/** The built-in commands whose arguments may be assignments. */
const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

/** The code cannot be read from here on. */
class Unreadable extends Error {
  readonly at: number;

  constructor(at: number) {
    super();
    this.at = at;
  }
}

/** Reads the commands of a text into `script.commands`. Positions in the text are shifted by `shift`. */
class Reader {
  readonly #script: Script;
  readonly #text: string;
  readonly #place: number | Word;
  readonly #isElsewhere: boolean;
  #at = 0;
  #depth: number;
  /** The number of open blocks, and of open braces among them. */
  #blocks = 0;
  #braces = 0;
  /** The here-documents whose text begins on the next line. */
  #documents: { readonly end: string; readonly isRaw: boolean; readonly hasTabs: boolean }[] = [];

  /** `place` is the offset of the text in the script, or the word from which the text was made. */
  constructor(script: Script, text: string, place: number | Word, depth: number, isElsewhere = false) {
    this.#script = script;
    this.#text = text;
    this.#place = place;
    this.#depth = depth;
    this.#isElsewhere = isElsewhere;
  }

  readAll(): void {
    this.#read(() => this.#commands(''));
  }

  /** Reads only the expansions. */
  readText(): void {
    this.#read(() => {
      while (this.#at < this.#text.length) {
        const character = this.#text[this.#at];
        if (character === '\\') this.#at += 2;
        else if (character === '$' || character === '`') this.#expansion(true);
        else this.#match(/[^\\$`]+/y);
      }
    });
  }

  #read(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      // The text is not part of the name, because it may contain a secret.
      const start = Math.min(error.at, this.#text.length);
      const end = this.#text.indexOf('\n', start);
      this.#report('unreadable shell code', start, end < 0 ? this.#text.length : end);
    }
  }

  #report(name: string, start: number, end: number): void {
    const { start: from, end: to } = this.#placed(start, end);
    this.#script.found.push(unanalysed('code', name, from, to));
  }

  #placed(start: number, end: number): { readonly start: number; readonly end: number } {
    const place = this.#place;
    return typeof place === 'number'
      ? { start: place + start, end: place + Math.min(end, this.#text.length) }
      : { start: place.start, end: place.end };
  }

  #peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Runs a reader of nested code. */
  #nested(read: () => void): void {
    if (++this.#depth > MAX_DEPTH) throw new Unreadable(this.#at);
    read();
    this.#depth--;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Unreadable(this.#at);
  }

  #skipSpace(): void {
    this.#match(/(?:[ \t\r]|\\\r?\n)*/y);
  }

  /** Skips spaces, line breaks with their here-documents, and comments. */
  #skipLines(): void {
    for (;;) {
      this.#skipSpace();
      if (this.#peek('#')) this.#match(/#[^\n]*/y);
      else if (this.#take('\n')) this.#readDocuments();
      else return;
    }
  }

  /** Reads commands up to the text `end`, or to the word `esac` or `;;` if `end` is `esac`. */
  #commands(end: '' | ')' | 'esac'): void {
    for (;;) {
      this.#skipLines();
      if (this.#at >= this.#text.length) return;
      if (end === 'esac' && (this.#peek(';;') || this.#peek(';&'))) return;
      if (this.#peek(')')) {
        if (end === ')') return;
        throw new Unreadable(this.#at);
      }
      if (this.#match(/[;&|]/y)) continue;
      if (end === 'esac' && /esac(?![^\s;&|<>()])/y.test(this.#text.slice(this.#at, this.#at + 5))) return;
      this.#command();
    }
  }

  #command(): void {
    if (this.#peek('((')) {
      if (!this.#script.isBash) throw new Unreadable(this.#at);
      this.#at += 2;
      this.#arithmetic();
      return;
    }
    if (this.#take('(')) {
      this.#nested(() => this.#commands(')'));
      this.#expect(')');
      return;
    }
    const words: Word[] = [];
    let isAssigned = true;
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length || /[\n;&|)]/.test(this.#text[this.#at] as string)) {
        if (!this.#peek('&>')) break;
      }
      if (this.#peek('#')) break;
      if (this.#redirection()) continue;
      if (this.#peek('(')) {
        this.#definition(words);
        return;
      }
      const word = this.#word(isAssigned || DECLARATIONS.has(words[0]?.text ?? ''));
      isAssigned &&= isAssignment(word);
      if (words.length === 0 && !word.isQuoted) {
        const change = BEFORE_COMMAND.get(word.text);
        if (change !== undefined) {
          this.#block(word.text, change);
          return;
        }
        if (word.text === 'for' || word.text === 'select') {
          this.#loop();
          return;
        }
        if (word.text === 'case') {
          this.#case();
          return;
        }
        if (word.text === '[[') {
          this.#test();
          return;
        }
        if (word.text === 'function') {
          this.#function();
          return;
        }
      }
      words.push(word);
    }
    if (words.length > 0) {
      const [isInBraces, isElsewhere] = [this.#braces > 0, this.#isElsewhere];
      this.#script.commands.push({ words: this.#withPlaces(words), isInBraces, isElsewhere });
    }
  }

  #block(word: string, change: number): void {
    this.#blocks += change;
    if (word === '{' || word === '}') this.#braces += change;
    if (word === 'time') this.#match(/[ \t]+-p(?![^\s;])/y);
  }

  #withPlaces(words: readonly Word[]): readonly Word[] {
    return words.map((word) => ({ ...word, ...this.#placed(word.start, word.end) }));
  }

  /** Reads `name ()` in front of the body of a function. */
  #definition(words: readonly Word[]): void {
    const [name, more] = words;
    this.#at++;
    this.#skipSpace();
    if (!name || more || !this.#take(')')) throw new Unreadable(this.#at);
    this.#define(name);
  }

  /** Adds a function, unless its definition depends on a condition or is in other code. */
  #define({ text, start }: Word): void {
    const { functions } = this.#script;
    if (this.#blocks === 0 && this.#depth === 0 && !functions.has(text)) functions.set(text, start);
  }

  #function(): void {
    this.#skipSpace();
    this.#define(this.#word(false));
    this.#skipSpace();
    if (this.#take('(')) {
      this.#skipSpace();
      this.#expect(')');
    }
  }

  #loop(): void {
    this.#skipSpace();
    this.#blocks++;
    if (this.#take('((')) {
      this.#arithmetic();
      return;
    }
    const name = this.#word(false);
    if (CODE_VARIABLES.test(name.text)) this.#report(name.raw, name.start, name.end);
    this.#skipLines();
    if (!this.#match(/in(?![^\s;])/y)) return;
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length || /[\n;]/.test(this.#text[this.#at] as string)) return;
      if (this.#word(false).text.startsWith('-')) this.#script.dashed.add(name.text);
    }
  }

  #case(): void {
    this.#skipSpace();
    this.#word(false);
    this.#skipLines();
    if (!this.#match(/in(?!\S)/y)) throw new Unreadable(this.#at);
    for (;;) {
      this.#skipLines();
      if (this.#match(/esac(?![^\s;&|<>()])/y)) return;
      this.#take('(');
      do {
        this.#skipSpace();
        this.#word(false);
        this.#skipSpace();
      } while (this.#take('|'));
      this.#expect(')');
      this.#blocks++;
      this.#nested(() => this.#commands('esac'));
      this.#blocks--;
      if (this.#match(/;;&|;;|;&/y)) continue;
      if (!this.#match(/esac(?![^\s;&|<>()])/y)) throw new Unreadable(this.#at);
      return;
    }
  }

  /** Reads the words of `[[ … ]]`. */
  #test(): void {
    for (;;) {
      this.#skipLines();
      if (this.#match(/\]\](?![^\s;&|)])/y)) return;
      if (this.#match(/[<>()&|;]/y)) continue;
      this.#word(false, true);
    }
  }

  /** Reads arithmetic up to `))`. */
  #arithmetic(): void {
    for (let open = 0; ; ) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new Unreadable(this.#at);
      if (character === '$' || character === '`') this.#expansion(true);
      else if (character === '(' || character === ')') {
        this.#at++;
        open += character === '(' ? 1 : -1;
        if (open < 0) {
          this.#expect(')');
          return;
        }
      } else if (character === "'") throw new Unreadable(this.#at);
      else this.#at += character === '\\' ? 2 : 1;
    }
  }

  /** Reads a redirection. One that writes to a file is reported. */
  #redirection(): boolean {
    const start = this.#at;
    const operator = this.#match(/(?:\d{1,4}|\{\w{1,40}\})?(?:<<<|<<-?|<>|<&|<(?!\()|&>>?|>>|>\||>&|>(?!\())/y);
    if (operator === undefined) return false;
    this.#skipSpace();
    const kind = operator.replace(/^(?:\d+|\{\w+\})/, '');
    const from = this.#at;
    const target = this.#word(false);
    if (kind === '<<' || kind === '<<-') {
      const source = this.#text.slice(from, this.#at);
      if (/[$`]/.test(source)) throw new Unreadable(from);
      this.#documents.push({ end: target.text, isRaw: /["'\\]/.test(source), hasTabs: kind === '<<-' });
    } else if (kind !== '<<<' && !isHarmlessTarget(kind, target)) {
      this.#report(this.#text.slice(start, this.#at), start, this.#at);
    }
    return true;
  }

  #readDocuments(): void {
    const documents = this.#documents;
    this.#documents = [];
    for (const { end, isRaw, hasTabs } of documents) {
      // A document without an end ends with the code.
      const from = this.#at;
      let to = this.#text.length;
      while (this.#at < this.#text.length) {
        const start = this.#at;
        // In a document with expansions, a backslash continues a line.
        const line = this.#match(isRaw ? /[^\n]*\n?/y : /(?:[^\n\\]+|\\[\s\S])*\n?/y) ?? '';
        const shown = line.replace(/\r?\n$/, '').replaceAll('\\\n', '');
        if ((hasTabs ? shown.replace(/^\t+/, '') : shown) !== end) continue;
        to = start;
        break;
      }
      if (!isRaw) this.#document(from, to);
    }
  }

  /** Reads the expansions in the text of a here-document. */
  #document(from: number, to: number): void {
    const place = typeof this.#place === 'number' ? this.#place + from : this.#place;
    new Reader(this.#script, this.#text.slice(from, to), place, this.#depth, this.#isElsewhere).readText();
  }

  /** Reads a word. `isAssigned` allows a list after `name=`; `isTest` allows parentheses after any character. */
  #word(isAssigned: boolean, isTest = false): Word {
    const start = this.#at;
    let text = '';
    let variable: string | undefined;
    let isQuoted = false;
    for (;;) {
      const at = this.#at;
      const character = this.#text[at];
      if (character === undefined || /[ \t\r\n;&|)]/.test(character)) break;
      if (character === '<' || character === '>') {
        if (this.#text[at + 1] !== '(' || (text !== '' && !/[=,]$/.test(text))) break;
        this.#at += 2;
        this.#nested(() => this.#commands(')'));
        this.#expect(')');
        text += EXPANSION;
      } else if (character === '(') {
        const name = isAssigned && text.endsWith('=') ? ASSIGNMENT.exec(text)?.[1] : undefined;
        if (name === undefined) {
          if (!isTest && (text === '' || /[@!+?*=]$/.test(text))) throw new Unreadable(at);
          break;
        }
        this.#at++;
        this.#nested(() => this.#list(name));
        text += EXPANSION;
      } else if (character === '\\') {
        this.#at += 2;
        isQuoted = true;
        const next = this.#text[at + 1] ?? '';
        if (next !== '\n') text += next;
      } else if (character === "'") {
        const end = this.#text.indexOf("'", at + 1);
        if (end < 0) throw new Unreadable(at);
        text += this.#text.slice(at + 1, end);
        isQuoted = true;
        this.#at = end + 1;
      } else if (character === '"') {
        isQuoted = true;
        this.#at++;
        const quoted = this.#quoted(text === '');
        text += quoted.text;
        variable ??= quoted.variable;
      } else if (character === '$' && this.#text[at + 1] === "'") {
        const escaped = this.#match(/\$'(?:[^'\\]+|\\[\s\S])*'/y);
        if (escaped === undefined) throw new Unreadable(at);
        text += escaped.includes('\\x') || /\\[0-7uUc]/.test(escaped) ? EXPANSION : escaped.slice(2, -1);
        isQuoted = true;
      } else if (character === '$' || character === '`') {
        const name = this.#expansion(false);
        if (text === '') variable = name;
        text += name === undefined ? '$' : EXPANSION;
      } else {
        text += character;
        this.#at++;
      }
    }
    if (this.#at === start) throw new Unreadable(start);
    const raw = this.#text.slice(start, this.#at);
    // Arithmetic runs the commands in the index of a list, even if the index is in a string.
    if (/\[[^\]]{0,400}(?:\$\(|`)/.test(text)) this.#report(raw, start, this.#at);
    return { text, variable, isQuoted, assigned: ASSIGNMENT.exec(raw)?.[1], raw, start, end: this.#at };
  }

  /** Reads the words of `name=( … )`. */
  #list(name: string): void {
    for (;;) {
      this.#skipLines();
      if (this.#take(')')) return;
      if (this.#word(true).text.startsWith('-')) this.#script.dashed.add(name);
    }
  }

  /** Reads a string in double quotes after its opening quote. */
  #quoted(isFirst: boolean): { readonly text: string; readonly variable: string | undefined } {
    let text = '';
    let variable: string | undefined;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new Unreadable(this.#at);
      if (character === '"') {
        this.#at++;
        return { text, variable };
      }
      if (character === '\\') {
        text += this.#text[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (character === '$' || character === '`') {
        const name = this.#expansion(true);
        if (isFirst && text === '') variable = name;
        text += name === undefined ? '$' : EXPANSION;
      } else {
        const plain = this.#match(/[^"\\$`]+/y) ?? '';
        text += plain;
      }
    }
  }

  /** Reads an expansion. Returns the name of its variable, an empty string for others, and undefined for a plain `$`. */
  #expansion(isQuoted: boolean): string | undefined {
    const start = this.#at;
    if (this.#take('`')) {
      const code = this.#match(/(?:[^`\\]+|\\[\s\S])*/y) ?? '';
      this.#expect('`');
      if (code.includes('\\')) this.#report(`\`${code}\``, start, this.#at);
      else this.#inner(code, start + 1);
      return '';
    }
    this.#at++;
    if (this.#take('((')) {
      this.#nested(() => this.#arithmetic());
      return '';
    }
    if (this.#take('(')) {
      this.#nested(() => this.#commands(')'));
      this.#expect(')');
      return '';
    }
    if (this.#take('{')) return this.#parameter(isQuoted, start);
    return this.#match(/[A-Za-z_]\w*|[\d@*#?$!-]/y);
  }

  #inner(code: string, at: number): void {
    if (this.#depth >= MAX_DEPTH) throw new Unreadable(at);
    const place = typeof this.#place === 'number' ? this.#place + at : this.#place;
    new Reader(this.#script, code, place, this.#depth + 1, this.#isElsewhere).readAll();
  }

  /** Reads `${…}` after its brace. */
  #parameter(isQuoted: boolean, start: number): string {
    const name = this.#match(/[#!]?[A-Za-z_]\w*|[#!]?[\d@*#?$!-]/y);
    if (name === undefined) throw new Unreadable(start);
    const rest = this.#at;
    const isCode = CODE_VARIABLES.test(name) && /^:?=/.test(this.#text.slice(rest, rest + 2));
    this.#nested(() => {
      while (!this.#take('}')) {
        const character = this.#text[this.#at];
        if (character === undefined) throw new Unreadable(start);
        if (character === '\\') this.#at += 2;
        else if (character === '$' || character === '`') this.#expansion(isQuoted);
        else if (character === '"') {
          this.#at++;
          this.#quoted(false);
        } else if (character === "'" && !isQuoted) {
          const end = this.#text.indexOf("'", this.#at + 1);
          if (end < 0) throw new Unreadable(start);
          this.#at = end + 1;
        } else this.#at++;
      }
    });
    // `${x@P}` runs the commands in the value.
    if (isCode || this.#text.slice(rest, this.#at).endsWith('@P}'))
      this.#report(this.#text.slice(start, this.#at), start, this.#at);
    return name;
  }
}

const isAssignment = ({ assigned }: Word): boolean => assigned !== undefined;

/** The targets of redirections that change no file. */
function isHarmlessTarget(operator: string, { text }: Word): boolean {
  if (operator === '<') return !/^\/dev\/(?!null$|stdin$|zero$|fd\/\d$)/.test(text);
  if (operator === '<&' || operator === '>&') if (/^(?:\d{1,3}-?|-)$/.test(text)) return true;
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/[12])$/.test(text) && operator !== '<>';
}

// Judges the commands.

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'ksh', 'dash']);
const AWKS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk']);

/** The built-in commands that write a variable whose name is an argument. */
const SETTERS: ReadonlySet<string> = new Set([
  ...DECLARATIONS,
  'read',
  'printf',
  'mapfile',
  'readarray',
  'getopts',
  'let',
]);

interface Context extends Pick<Command, 'isInBraces' | 'isElsewhere'> {
  /** True if another program adds arguments. */
  readonly isOpen?: boolean;
  /** The number of programs that run the command. They do not know the functions of the script. */
  readonly level?: number;
}

/** The maximum number of programs that run a command. */
const MAX_LEVEL = 20;

/** Reports a command whose effects are not known. */
function judge(script: Script, all: readonly Word[], context: Context): void {
  const report = (kind: Unanalysed['kind'], name: string, { start, end }: Word) =>
    script.found.push(unanalysed(kind, name, start, end));
  const { level = 0, isElsewhere, isInBraces } = context;
  const at = all.findIndex((word) => !isAssignment(word) || level > 0);
  for (const word of at < 0 ? all : all.slice(0, at)) noteAssignment(script, word);
  const [command, ...args] = at < 0 ? [] : all.slice(at);
  if (!command) return;
  if (command.text.includes(EXPANSION)) {
    const path = pathOf(command);
    if (path === undefined || !script.scanned.isScript(path)) report('code', command.raw, command);
    return;
  }
  const name = command.text.replace(/^(?:\/usr)?\/bin\/(?=[^/]+$)/, '');
  if (name.includes('/')) {
    if (!script.scanned.isScript(name)) report('program', name, command);
    return;
  }
  const defined = level > 0 || isElsewhere || PROGRAMS.has(name) ? undefined : script.functions.get(name);
  if (defined !== undefined && (isInBraces || defined < command.start)) return;
  if (level > MAX_LEVEL || !isHarmless(script, name, args, context)) {
    report(name === 'eval' || name === 'alias' ? 'code' : 'program', name, command);
  }
}

/** Returns the path of a word that begins with at most one expansion, such as `$(dirname "$0")/x.sh`. */
function pathOf({ text }: Word): string | undefined {
  const path = text.replace(/^\0\//, '');
  return path.includes(EXPANSION) ? undefined : path;
}

function noteAssignment({ found, dashed }: Script, { text, raw, assigned = '', start, end }: Word): void {
  if (CODE_VARIABLES.test(assigned)) found.push(unanalysed('code', raw, start, end));
  if (/=-/.test(text.slice(0, text.indexOf('=') + 2))) dashed.add(assigned);
}

/** The options of built-in commands whose next word is not the name of a variable. */
const VALUE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['read', /^-\w*[diNnptu]$/],
  ['mapfile', /^-\w*[CcdnOsu]$/],
  ['readarray', /^-\w*[CcdnOsu]$/],
]);

/** Returns whether a word of a built-in command names, with an expansion, the variable that the command writes. */
function isNamedAtRunTime(name: string, { text }: Word, before: Word | undefined): boolean {
  if (!text.replace(/[=[].*/s, '').includes(EXPANSION)) return false;
  const option = before?.text ?? '';
  if (name === 'printf') return option === '-v' || text.startsWith('-v');
  const values = VALUE_OPTIONS.get(name);
  return values ? !values.test(option) : DECLARATIONS.has(name);
}

/** Returns whether a command is harmless. Judges the commands in its arguments. */
function isHarmless(script: Script, name: string, args: readonly Word[], context: Context): boolean {
  const { scanned, found, dashed } = script;
  const [first] = args;
  if (SETTERS.has(name)) {
    for (const [at, word] of args.entries()) {
      const variable = ASSIGNMENT.exec(word.text)?.[1];
      const value = word.text.slice((variable?.length ?? -1) + 1);
      // `printf -vPATH` and `read 'PATH[0]'` write `PATH`.
      const written = word.text.replace(/^-[^av]{0,9}[av]/, '').replace(/\[.*/s, '');
      const isCode = [variable, value, written].some((one) => one !== undefined && CODE_VARIABLES.test(one));
      if (isCode || isNamedAtRunTime(name, word, args[at - 1]))
        found.push(unanalysed('code', word.raw, word.start, word.end));
      if (variable !== undefined) noteAssignment({ ...script, found: [] }, { ...word, assigned: variable });
    }
  }
  const wrapper = WRAPPERS.get(name);
  if (wrapper) return runsHarmless(script, name, wrapper, args, context);
  const interpreter = INTERPRETERS.get(name);
  if (interpreter) return interpretsHarmless(script, name, interpreter, args);
  if (name === 'source' || name === '.') {
    const path = first && pathOf(first);
    return path !== undefined && scanned.isScript(path, 'shell');
  }
  if (name === 'trap') {
    const code = first?.text === '--' ? args[1] : first;
    if (!code || /^-[lp]?$/.test(code.text)) return true;
    if (code.text.includes(EXPANSION)) return false;
    new Reader(script, code.text, code, 1).readAll();
    return true;
  }
  if (name === 'unset' && args.some(({ text }) => /^-\w*f/.test(text))) return false;
  const isRunTime = args.some(
    ({ variable, text, isQuoted }) =>
      (variable !== undefined && dashed.has(variable)) || (!isQuoted && /^\{.*,.*\}/s.test(text)),
  );
  const isUncertain = isRunTime || context.isOpen === true;
  if (name === 'sed') return !isUncertain && isHarmlessSedCall(args);
  if (AWKS.has(name)) return !isRunTime && isHarmlessAwkCall(args);
  if (name === 'find') return !isUncertain && findsHarmlessly(script, args, context);
  if (name === 'uniq') return !isUncertain && args.filter(({ text }) => !/^-./.test(text)).length < 2;
  if (!HARMLESS_COMMANDS.has(name)) return false;
  const unless = HARMLESS_COMMANDS.get(name);
  return unless === undefined || (!isUncertain && !args.some(({ text }) => unless.test(text)));
}

/** Judges the command that a wrapper such as `env` runs. Returns whether the wrapper itself is harmless. */
function runsHarmless(
  script: Script,
  name: string,
  { flags, options, positionals, isHarmless: isQuiet }: NonNullable<ReturnType<typeof WRAPPERS.get>>,
  args: readonly Word[],
  context: Context,
): boolean {
  if (name === 'command' && /^-\w*[vV]$/.test(args[0]?.text ?? '')) return true;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    if (word.text === '--') {
      at++;
      break;
    }
    const isOption = options.test(word.text);
    if (!isOption && !flags.test(word.text)) break;
    if (isOption) at++;
    const variable = ASSIGNMENT.exec(word.text)?.[1];
    if (variable !== undefined && CODE_VARIABLES.test(variable)) return false;
  }
  const inner = args.slice(at + positionals);
  const [command] = inner;
  if (!command) return isQuiet && (name === 'exec' || name === 'xargs' || name === 'command');
  if (command.text.startsWith('-')) return false;
  judge(script, inner, {
    ...context,
    level: (context.level ?? 0) + 1,
    isOpen: context.isOpen === true || name === 'xargs',
  });
  if (name === 'xargs' && isShellCode(inner)) return false;
  return isQuiet;
}

/** Returns whether the words run a shell with code that another program may complete. */
const isShellCode = ([command, ...args]: readonly Word[]): boolean =>
  SHELLS.has(command?.text.replace(/^.*\//, '') ?? '') && args.some(({ text }) => text.includes('{}') && text !== '{}');

/** Returns whether an interpreter runs a script of the folder, or shell code that can be read. */
function interpretsHarmless(
  script: Script,
  name: string,
  { language, flags }: Interpreter,
  args: readonly Word[],
): boolean {
  const at = args.findIndex(({ text }) => !flags.test(text));
  const word = args[at];
  if (!word) return false;
  if (SHELLS.has(name) && /^-[euxvl]{0,5}c$/.test(word.text)) {
    const code = args[at + 1];
    if (!code || code.text.includes(EXPANSION) || script.commands.length > MAX_COMMANDS) return false;
    new Reader(script, code.text, code, 1, true).readAll();
    return true;
  }
  const path = pathOf(word);
  return path !== undefined && !path.startsWith('-') && script.scanned.isScript(path, language);
}

/** The maximum number of commands, so that code in strings, which is read again, takes a limited time. */
const MAX_COMMANDS = 100_000;

const SED_FLAGS = /^-[nErsuz]{1,6}$|^--(?:quiet|silent|regexp-extended|null-data|posix|unbuffered|debug|separate)$/;

function isHarmlessSedCall(args: readonly Word[]): boolean {
  let hasProgram = false;
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at] as Word;
    if (SED_FLAGS.test(text)) continue;
    const isExpression = /^(?:-[nErsuz]{0,6}e|--expression)$/.test(text);
    if (!isExpression && text.startsWith('-') && text !== '-') return false;
    if (!isExpression && hasProgram) continue;
    hasProgram = true;
    const program = isExpression ? args[++at]?.text : text;
    if (program === undefined || !isHarmlessSed(program)) return false;
  }
  return true;
}

function isHarmlessAwkCall(args: readonly Word[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at] as Word;
    if (text === '-F' || text === '-v') at++;
    else if (!/^-[Fv]/.test(text) && text !== '--') {
      return !text.startsWith('-') && !text.includes(EXPANSION) && isHarmlessAwk(text);
    }
  }
  return true;
}

/** Judges the commands after `-exec`. Returns whether `find` itself changes nothing. */
function findsHarmlessly(script: Script, args: readonly Word[], context: Context): boolean {
  let isHarmlessCall = true;
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (/^-(?:delete|fprint|fls)/.test(text)) isHarmlessCall = false;
    if (!/^-(?:exec|ok)(?:dir)?$/.test(text)) continue;
    const end = args.findIndex((word, other) => other > at && (word.text === ';' || word.text === '+'));
    const inner = args.slice(at + 1, end < 0 ? undefined : end);
    judge(script, inner, { ...context, level: (context.level ?? 0) + 1, isOpen: true });
    if (isShellCode(inner)) isHarmlessCall = false;
    at += inner.length;
  }
  return isHarmlessCall;
}
