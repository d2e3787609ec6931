/**
 * Finds the folders of skills that the source of a program names in a call of a framework (docs/clients.md, "Frameworks").
 * The code is only read. A folder is certain if the file imports the function from the framework's package, and the
 * argument consists of literals, constants of the file, `path.join` and the folder of the file or of the process.
 */
import { bracketsOf, type Token, tokensOf } from '../../languages/javascript/tokens.ts';

/** A folder that a call names, relative to the folder of the program's `package.json`. */
export interface FrameworkCall {
  /** The ID of the framework. */
  readonly framework: string;
  readonly folder: string;
  /** The offset of the called function in the text. */
  readonly start: number;
}

/** A folder that a program of a workspace folder passes to a framework. */
export interface ProgramFolder {
  /** The ID of the framework. */
  readonly framework: string;
  /** The folder of the program's `package.json`, relative to the workspace folder; empty for this folder itself. */
  readonly program: string;
  /** The folder of skills, relative to `program`. */
  readonly folder: string;
  /** The source file, relative to the workspace folder, and the line of its first call, counted from 1. */
  readonly file: string;
  readonly line: number;
}

/** The programs of a workspace folder. */
export interface FrameworkPrograms {
  /** The npm packages in their `package.json` files. */
  readonly packages: ReadonlySet<string>;
  readonly folders: readonly ProgramFolder[];
}

/** A path: relative to the folder of `package.json`, or as written, so that it may be absolute. */
interface Path {
  readonly isPlaced: boolean;
  readonly text: string;
}

/** Returns the folders of skills that arguments name, relative to the folder in which the program runs. */
type FoldersIn = (source: Source, args: readonly Span[]) => readonly (Path | undefined)[];

interface FrameworkFunction {
  readonly framework: string;
  /** The package, or its modules. */
  readonly package: string;
  readonly name: string;
  readonly folders: FoldersIn;
}

/**
 * The functions to which a program passes the folder, as declared in the versions of lab/clients/frameworks.ts. Functions
 * that load one skill, and globs, name no folder of skills.
 */
const FUNCTIONS: readonly FrameworkFunction[] = [
  {
    ...{ framework: 'deepagents', package: 'deepagents', name: 'createDeepAgent' },
    // Without a backend on disk, the folder is in the state of the agent.
    folders: (source, [options]) => {
      const backend = source.call(source.property(options, 'backend'), ['FilesystemBackend', 'LocalShellBackend']);
      if (!backend) return [];
      const [settings] = backend;
      const root = settings ? source.optionalPath(settings, 'rootDir') : PROGRAM;
      const isVirtual = settings && source.word(source.property(settings, 'virtualMode')) === 'true';
      const within = (path: Path | undefined) =>
        path && !path.isPlaced && isVirtual ? { ...path, text: path.text.replace(/^\/+/, '') } : path;
      return source.items(source.property(options, 'skills')).map((one) => join([root, within(source.path(one))]));
    },
  },
  {
    ...{ framework: 'google-adk', package: '@google/adk', name: 'loadAllSkillsInDir' },
    folders: (source, [folder]) => [source.path(folder)],
  },
  {
    ...{ framework: 'strands', package: '@strands-agents/sdk', name: 'AgentSkills' },
    folders: (source, [options]) => source.items(source.property(options, 'skills')).map((one) => source.path(one)),
  },
  {
    ...{ framework: 'mastra', package: '@mastra/core', name: 'Workspace' },
    folders: (source, [options]) => {
      const disk = source.call(source.property(options, 'filesystem'), ['LocalFilesystem'])?.[0];
      const root = disk && source.path(source.property(disk, 'basePath'));
      return source.items(source.property(options, 'skills')).map((one) => root && join([root, source.path(one)]));
    },
  },
  {
    ...{ framework: 'openai-agents', package: '@openai/agents', name: 'localDirLazySkillSource' },
    folders: (source, [options]) => {
      const src = source.path(source.property(options, 'src'));
      return [source.path(options) ?? join([options && source.optionalPath(options, 'baseDir'), src])];
    },
  },
  {
    ...{ framework: 'ai-sdk', package: 'bash-tool', name: 'experimental_createSkillTool' },
    folders: (source, [options]) => [source.path(source.property(options, 'skillsDirectory'))],
  },
  {
    ...{ framework: 'claude-agent-sdk', package: '@anthropic-ai/claude-agent-sdk', name: 'query' },
    folders: (source, [params]) => {
      const options = source.optional(params, 'options');
      if (options === undefined) return [];
      const cwd = options === 'absent' ? PROGRAM : source.optionalPath(options, 'cwd');
      const sources = options === 'absent' ? 'absent' : source.optional(options, 'settingSources');
      // Without the key, all sources are loaded.
      const isProject =
        sources === 'absent' || source.items(sources).some((one) => source.path(one)?.text === 'project');
      return isProject ? [join([cwd, { isPlaced: false, text: '.claude/skills' }])] : [];
    },
  },
];

/** The packages of the frameworks whose calls are known. */
export const CALLED_PACKAGES: ReadonlySet<string> = new Set(FUNCTIONS.map((one) => one.package));

/**
 * Returns the folders that a source file names in calls of frameworks, each once, relative to the folder of the program's
 * `package.json`, in which the program is assumed to run.
 *
 * @param path the path of the file, relative to that folder
 * @param packages the packages on which the program depends
 */
export function frameworkCalls(text: string, path: string, packages: ReadonlySet<string>): readonly FrameworkCall[] {
  const wanted = FUNCTIONS.filter((one) => packages.has(one.package) && text.includes(one.package));
  if (wanted.length === 0) return [];
  const source = new Source(text, path);
  const found = new Map<string, FrameworkCall>();
  for (const { framework, package: from, name, folders } of wanted) {
    for (const { args, start } of source.calls(from, name)) {
      for (const one of folders(source, args)) {
        const folder = one && folderIn(one);
        const key = `${framework}:${folder}`;
        if (folder && !found.has(key)) found.set(key, { framework, folder, start });
      }
    }
  }
  return [...found.values()];
}

/** The folder in which the program runs. */
const PROGRAM: Path = { isPlaced: true, text: '' };

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[a-z]:)/i.test(path);

/** Joins paths as `path.join` does; undefined if a path is not known, or only the first one may be absolute. */
function join(paths: readonly (Path | undefined)[]): Path | undefined {
  const [first, ...rest] = paths;
  if (!first || rest.some((one) => !one || one.isPlaced || isAbsolute(one.text))) return undefined;
  return {
    isPlaced: first.isPlaced,
    text: paths
      .map((one) => one?.text)
      .filter(Boolean)
      .join('/'),
  };
}

/** Returns a path with `/` and without `.`, `..` and a final `/`; undefined for one that leads outside, and for globs. */
function folderIn({ isPlaced, text }: Path): string | undefined {
  if ((!isPlaced && isAbsolute(text)) || /[*?[\]{}~:\\]/.test(text)) return undefined;
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/') || undefined;
}

/** The indexes of the tokens of an expression; the second one is after it. */
type Span = readonly [from: number, to: number];

/** The maximum number of constants and calls in each other. */
const DEEPEST = 20;

/** The maximum number of tokens in a list of parameters and in a pattern, and of functions with a parameter of one name. */
const LONGEST = 300;

/** The maximum number of tokens, each with its brackets, in a return type and in an expression after `=>`. */
const LONGEST_HEAD = 50;

/** Words before `(…) {` that is not a list of parameters. */
const NO_PARAMETERS: ReadonlySet<string> = new Set(['if', 'while', 'for', 'switch', 'with', 'await']);

/** A source file with its imports and constants. */
class Source {
  readonly #tokens: readonly Token[];
  readonly #closing: ReadonlyMap<number, number>;
  /** The folder of the file, relative to the folder of `package.json`. */
  readonly #folder: string;
  /** The modules and members by their local names. A namespace and a default import have the member `*`. */
  readonly #imports = new Map<string, { readonly module: string; readonly member: string }>();
  /** The values of constants by name; undefined for a name that is declared more than once. */
  readonly #constants = new Map<string, Span | undefined>();
  /** The names that a declaration without `import` or `require` has, so that an import of this name is not certain. */
  readonly #declared = new Set<string>();
  /** The functions with a parameter, by its name. */
  readonly #functions = new Map<string, Span[]>();

  constructor(text: string, path: string) {
    this.#tokens = tokensOf(text);
    this.#closing = bracketsOf(this.#tokens);
    this.#folder = path.split('/').slice(0, -1).join('/');
    for (const [index, { kind, text: word }] of this.#tokens.entries()) {
      if (kind !== 'name') continue;
      if (word === 'import') this.#import(index);
      else if (word === 'const' || word === 'let' || word === 'var') this.#declarations(index, word === 'const');
      else if (word === 'function' || word === 'class') this.#hide(index + (this.#isSign(index + 1, '*') ? 2 : 1));
    }
    for (const index of this.#tokens.keys()) this.#parameters(index);
  }

  /** Returns the calls of a function or a class that the file imports from a package. */
  *calls(from: string, name: string): Iterable<{ readonly args: readonly Span[]; readonly start: number }> {
    for (const [index, token] of this.#tokens.entries()) {
      if (token.kind !== 'name' || !this.#isSign(index + 1, '(')) continue;
      if (!this.#isImported(index, (module) => isModuleOf(module, from), [name])) continue;
      const args = this.#elements(index + 1);
      if (args) yield { args, start: token.start };
    }
  }

  /** Returns the arguments of an expression that calls a function or a class of these imported names; undefined for others. */
  call(
    span: Span | undefined,
    names: readonly string[],
    isModule: (module: string) => boolean = () => true,
  ): readonly Span[] | undefined {
    const [from, to] = this.#resolved(span) ?? [0, 0];
    const start = this.#isName(from, 'new') ? from + 1 : from;
    const open = this.#isSign(start + 1, '.') ? start + 3 : start + 1;
    if (!this.#isSign(open, '(') || this.#closing.get(open) !== to - 1) return undefined;
    return this.#isImported(open - 1, isModule, names) ? this.#elements(open) : undefined;
  }

  /** Returns the items of a list; none if it contains a spread, or is not a list. */
  items(span: Span | undefined): readonly Span[] {
    const [from, to] = this.#resolved(span) ?? [0, 0];
    if (!this.#isSign(from, '[') || this.#closing.get(from) !== to - 1) return [];
    return this.#elements(from) ?? [];
  }

  /** Returns the value of a key of an object, if it is certain; `absent` if the object certainly lacks the key. */
  optional(span: Span | undefined, key: string): Span | 'absent' | undefined {
    const [from, to] = this.#resolved(span) ?? [0, 0];
    if (!this.#isSign(from, '{') || this.#closing.get(from) !== to - 1) return undefined;
    let found: Span | 'absent' | undefined = 'absent';
    for (const [start, end] of this.#elements(from, true) ?? [[0, 0] as const]) {
      const { kind, text } = this.#tokens[start] ?? NO_TOKEN;
      // A spread, a computed key or a method may set the key.
      if ((kind !== 'name' && kind !== 'string') || end === start) found = undefined;
      else if (text === key && end === start + 1) found = [start, end];
      else if (text === key) found = this.#isSign(start + 1, ':') ? [start + 2, end] : undefined;
    }
    return found;
  }

  property(span: Span | undefined, key: string): Span | undefined {
    const found = this.optional(span, key);
    return found === 'absent' ? undefined : found;
  }

  /** Returns the path in a key of an object, which is the folder of the program if the key is missing. */
  optionalPath(span: Span, key: string): Path | undefined {
    const found = this.optional(span, key);
    return found === 'absent' ? PROGRAM : this.path(found);
  }

  /** Returns the only name of an expression, such as `true`. */
  word(span: Span | undefined): string | undefined {
    const [from, to] = this.#resolved(span) ?? [0, 0];
    return to === from + 1 && this.#tokens[from]?.kind === 'name' ? this.#tokens[from].text : undefined;
  }

  /** Returns the path of an expression, if it is certain. */
  path(span: Span | undefined, depth = 0): Path | undefined {
    const resolved = depth < DEEPEST ? this.#resolved(span) : undefined;
    if (!resolved) return undefined;
    const [from, to] = resolved;
    const { kind, text } = this.#tokens[from] ?? NO_TOKEN;
    if (to === from + 1 && kind === 'string') return { isPlaced: false, text };
    const code = this.#code(resolved);
    if (code === 'process.cwd()') return PROGRAM;
    const ofFile = { isPlaced: true, text: this.#folder };
    if (code === '__dirname' || code === 'import.meta.dirname') return ofFile;
    const joined = this.call(resolved, ['join', 'resolve'], isPathModule);
    if (joined) return join(joined.map((one) => this.path(one, depth + 1)));
    const [url] = this.call(resolved, ['fileURLToPath'], isUrlModule) ?? [];
    if (url) return this.#urlPath(url, ofFile);
    const [inner] = this.call(resolved, ['dirname'], isPathModule) ?? [];
    const [file] = this.call(inner, ['fileURLToPath'], isUrlModule) ?? [];
    return file && this.#code(file) === 'import.meta.url' ? ofFile : undefined;
  }

  /** Returns the path of `new URL('…', import.meta.url)`. */
  #urlPath(span: Span, ofFile: Path): Path | undefined {
    const [from, to] = this.#resolved(span) ?? [0, 0];
    if (!this.#isName(from, 'new') || !this.#isName(from + 1, 'URL') || this.#closing.get(from + 2) !== to - 1)
      return undefined;
    const [first, base] = this.#elements(from + 2) ?? [];
    if (!first || !base || this.#code(base) !== 'import.meta.url') return undefined;
    const { kind, text } = this.#tokens[first[0]] ?? NO_TOKEN;
    return kind === 'string' && first[1] === first[0] + 1 ? join([ofFile, { isPlaced: false, text }]) : undefined;
  }

  #code([from, to]: Span): string {
    return to - from > 6
      ? ''
      : this.#tokens
          .slice(from, to)
          .map(({ text }) => text)
          .join('');
  }

  /** Returns whether the name at an index is an imported member with one of these names, or a member of a namespace. */
  #isImported(index: number, isModule: (module: string) => boolean, names: readonly string[]): boolean {
    const { kind, text } = this.#tokens[index] ?? NO_TOKEN;
    if (kind !== 'name') return false;
    if (this.#isSign(index - 1, '.')) {
      const of = this.#tokens[index - 2];
      const namespace = of?.kind === 'name' && !this.#isSign(index - 3, '.') ? this.#importAt(index - 2) : undefined;
      return namespace?.member === '*' && isModule(namespace.module) && names.includes(text);
    }
    const found = this.#importAt(index);
    return found !== undefined && isModule(found.module) && names.includes(found.member);
  }

  /** Returns what the name at an index imports, if it is certain. */
  #importAt(index: number): { readonly module: string; readonly member: string } | undefined {
    const { text } = this.#tokens[index] ?? NO_TOKEN;
    return this.#declared.has(text) || this.#isParameter(index) ? undefined : this.#imports.get(text);
  }

  /** Returns the expression, or the value of the constant that it names. */
  #resolved(span: Span | undefined): Span | undefined {
    let found = span;
    for (let depth = 0; found && depth < DEEPEST; depth++) {
      const [from, to] = found;
      const token = this.#tokens[from];
      if (to !== from + 1 || token?.kind !== 'name' || !this.#constants.has(token.text)) return found;
      if (this.#isParameter(from)) return undefined;
      found = this.#constants.get(token.text);
    }
    return undefined;
  }

  /** Returns the elements between an opening bracket and its end; undefined without an end, or with a spread. */
  #elements(open: number, withSpreads = false): readonly Span[] | undefined {
    const close = this.#closing.get(open);
    if (close === undefined) return undefined;
    const elements: Span[] = [];
    let from = open + 1;
    for (let index = from; index <= close; index++) {
      if (index < close && !this.#isSign(index, ',')) {
        index = this.#closing.get(index) ?? index;
        continue;
      }
      const isEmpty = index === from;
      if (!isEmpty && !withSpreads && this.#isSign(from, '.')) return undefined;
      if (!isEmpty) elements.push([from, index]);
      from = index + 1;
    }
    return elements;
  }

  /** Reads `import a, { b as c } from 'm'` and `import * as a from 'm'`. */
  #import(index: number): void {
    if (this.#isName(index + 1, 'type') && !this.#isName(index + 2, 'from')) return;
    const names: { readonly local: string; readonly member: string }[] = [];
    let at = index + 1;
    const { kind, text } = this.#tokens[at] ?? NO_TOKEN;
    if (kind === 'name') {
      names.push({ local: text, member: '*' });
      at += this.#isSign(at + 1, ',') ? 2 : 1;
    }
    if (this.#isSign(at, '*') && this.#isName(at + 1, 'as')) {
      names.push({ local: this.#tokens[at + 2]?.text ?? '', member: '*' });
      at += 3;
    } else if (this.#isSign(at, '{')) {
      const close = this.#closing.get(at);
      if (close === undefined) return;
      names.push(...this.#names(at, 'as'));
      at = close + 1;
    }
    const module = this.#tokens[at + 1];
    if (!this.#isName(at, 'from') || module?.kind !== 'string') return;
    for (const { local, member } of names) this.#imports.set(local, { module: module.text, member });
  }

  /** Reads the declarations after `const`, `let` or `var`. */
  #declarations(index: number, isConstant: boolean): void {
    let at: number | undefined = index;
    while (at !== undefined) {
      const end: number | undefined = this.#declare(at, isConstant);
      at = end !== undefined && end > at && this.#isSign(end, ',') ? end : undefined;
    }
  }

  /** Reads a declaration: a constant, or names of `require('m')` and `await import('m')`. Returns the index after it. */
  #declare(index: number, isConstant: boolean): number | undefined {
    const first = index + 1;
    const { kind, text } = this.#tokens[first] ?? NO_TOKEN;
    const isObject = this.#isSign(first, '{');
    const isPattern = isObject || this.#isSign(first, '[');
    const close = isPattern ? this.#closing.get(first) : first;
    if (close === undefined || (kind !== 'name' && !isPattern)) return undefined;
    const equals = this.#equalsAfter(close + 1);
    const value = equals === undefined ? undefined : equals + 1;
    const end = value === undefined ? close + 1 : this.#endOf(value);
    if (value !== undefined && this.#require(first, this.#isName(value, 'await') ? value + 1 : value, isObject))
      return end;
    if (isPattern) {
      for (let at = first; at < Math.min(close, first + LONGEST); at++) if (!this.#isSign(at + 1, ':')) this.#hide(at);
    } else if (this.#constants.has(text) || !isConstant || value === undefined) this.#hide(first);
    else {
      this.#constants.set(text, [value, end]);
      this.#declared.add(text);
    }
    return end;
  }

  /** Makes the name at an index uncertain in the whole file. */
  #hide(index: number): void {
    const { kind, text } = this.#tokens[index] ?? NO_TOKEN;
    if (kind !== 'name') return;
    this.#constants.set(text, undefined);
    this.#declared.add(text);
  }

  /** Reads the parameters of a function that begins at an index: names in parentheses, or one name before `=>`. */
  #parameters(index: number): void {
    const close = this.#isSign(index, '(') ? this.#closing.get(index) : undefined;
    const isOne = this.#tokens[index]?.kind === 'name' && this.#isArrow(index + 1);
    if ((close === undefined && !isOne) || NO_PARAMETERS.has(this.#tokens[index - 1]?.text ?? '')) return;
    const last = close ?? index;
    const end = last - index > LONGEST ? undefined : this.#endOfFunction(last + 1);
    if (end === undefined) return;
    const names = this.#tokens.slice(index, last + 1).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
    for (const name of new Set(names)) {
      const known = this.#functions.get(name);
      if (!known) this.#functions.set(name, [[index, end]]);
      else if (known.length < LONGEST) known.push([index, end]);
      else known[0] = [0, this.#tokens.length];
    }
  }

  /** Returns the end of the body of a function, after its parameters and its return type; undefined without a body. */
  #endOfFunction(start: number): number | undefined {
    const isTyped = this.#isSign(start, ':');
    for (let at = start; at < Math.min(start + LONGEST_HEAD, this.#tokens.length); at++) {
      if (this.#isArrow(at))
        return this.#isSign(at + 2, '{') ? this.#closing.get(at + 2) : this.#endOf(at + 2, LONGEST_HEAD);
      const { kind, text } = this.#tokens[at - 1] ?? NO_TOKEN;
      const isBody = at === start || kind !== 'sign' || /[>)\]}]/.test(text);
      if (this.#isSign(at, '{') && isBody) return this.#closing.get(at);
      if (!isTyped || this.#isSign(at, ';') || this.#isSign(at, ')')) return undefined;
      at = this.#closing.get(at) ?? at;
    }
    return undefined;
  }

  #isArrow(index: number): boolean {
    return this.#isSign(index, '=') && this.#isSign(index + 1, '>');
  }

  /** Returns whether the name at an index may be that of a parameter. */
  #isParameter(index: number): boolean {
    const functions = this.#functions.get(this.#tokens[index]?.text ?? '') ?? [];
    return functions.some(([from, to]) => from <= index && index <= to);
  }

  /** Returns the index of the `=` after a name and its type. */
  #equalsAfter(index: number): number | undefined {
    if (this.#isSign(index, '=')) return index;
    if (!this.#isSign(index, ':')) return undefined;
    for (let at = index + 1; at < Math.min(index + 30, this.#tokens.length); at++) {
      at = this.#closing.get(at) ?? at;
      if (this.#isSign(at, ';')) return undefined;
      if (this.#isSign(at, '=') && !this.#isSign(at + 1, '>')) return at;
    }
    return undefined;
  }

  /** Reads a declaration that imports a module. Returns false for others. */
  #require(first: number, at: number, isObject: boolean): boolean {
    const module = this.#tokens[at + 2];
    const isCall = this.#isName(at, 'require') || this.#isName(at, 'import');
    if (!isCall || module?.kind !== 'string' || this.#closing.get(at + 1) !== at + 3 || this.#isSign(at + 4, '.'))
      return false;
    const names = isObject ? this.#names(first, ':') : [{ local: this.#tokens[first]?.text ?? '', member: '*' }];
    for (const { local, member } of names) this.#imports.set(local, { module: module.text, member });
    return true;
  }

  /** Returns the names in braces, such as `{ a, b as c }` or `{ a, b: c }`. */
  *#names(open: number, between: 'as' | ':'): Iterable<{ readonly local: string; readonly member: string }> {
    for (const [from, to] of this.#elements(open, true) ?? []) {
      const start = this.#isName(from, 'type') && to > from + 1 && !this.#isName(from + 1, 'as') ? from + 1 : from;
      const member = this.#tokens[start]?.text ?? '';
      const isRenamed = to === start + 3 && this.#tokens[start + 1]?.text === between;
      if (isRenamed || to === start + 1)
        yield { member, local: isRenamed ? (this.#tokens[start + 2]?.text ?? '') : member };
    }
  }

  /**
   * Returns the end of an expression; that of the file after `most` tokens. Without `;`, it ends at a name that cannot
   * continue it.
   */
  #endOf(start: number, most = this.#tokens.length): number {
    let at = start;
    for (let count = 0; at < this.#tokens.length; count++) {
      if (count > most) return this.#tokens.length;
      const token = this.#tokens[at];
      if (this.#isSign(at, ';') || this.#isSign(at, ',') || (token?.kind === 'sign' && /[)\]}]/.test(token.text)))
        break;
      const previous = this.#tokens[at - 1];
      const endsBefore = previous?.kind !== 'sign' || /[)\]}]/.test(previous.text);
      const begins = token?.kind === 'name' || token?.kind === 'string' || token?.kind === 'other';
      if (at > start && endsBefore && begins && !CONTINUES.has(previous?.text ?? '')) {
        return CONTINUING.has(token?.text ?? '') ? start : at;
      }
      at = (this.#closing.get(at) ?? at) + 1;
    }
    return at;
  }

  #isSign(index: number, text: string): boolean {
    const token = this.#tokens[index];
    return token?.kind === 'sign' && token.text === text;
  }

  #isName(index: number, text: string): boolean {
    const token = this.#tokens[index];
    return token?.kind === 'name' && token.text === text;
  }
}

const NO_TOKEN: Token = { kind: 'other', text: '', start: 0 };

/** Names after which an expression continues. */
const CONTINUES: ReadonlySet<string> = new Set(['new', 'await', 'typeof', 'void', 'function', 'async', 'class']);

/** Names that continue the expression before them, so that its value is not certain. */
const CONTINUING: ReadonlySet<string> = new Set(['in', 'instanceof', 'as', 'satisfies']);

const isPathModule = (module: string): boolean => /^(?:node:)?path(?:\/posix)?$/.test(module);

const isUrlModule = (module: string): boolean => /^(?:node:)?url$/.test(module);

const isModuleOf = (module: string, from: string): boolean => module === from || module.startsWith(`${from}/`);
