/**
 * Finds the modules and the code of a Python script whose effects are not analysed (docs/abilities.md, "Not analysed").
 */
import { PYTHON_MEMBERS, PYTHON_MODULES } from './harmless.ts';
import { type ScannedFiles, type Unanalysed, unanalysed } from './unanalysed.ts';

/** Returns the imported modules and the calls that are not known to be harmless. Never throws. */
export function unanalysedInPython(source: string, scanned: ScannedFiles): readonly Unanalysed[] {
  const text = source.replace(/\r(?!\n)/g, '\n');
  const code = withoutLiterals(text);
  const imports = importsIn(code, scanned);
  const found = [...imports.found, ...membersIn(imports.rest, imports.aliases)];
  for (const [pattern, isHarmless] of SUSPECTS) {
    for (const { 0: name, index } of imports.rest.matchAll(pattern)) {
      const isKnown = isHarmless?.(text.slice(index, index + 400), name);
      if (!isKnown) found.push(unanalysed('code', name, index, index + name.length));
    }
  }
  for (const { 1: name = '', index, 0: match } of text.matchAll(CALLS))
    found.push(unanalysed('program', name, index, index + match.length));
  const encoding = /^(?:[^\n]{0,400}\n)?[ \t\f]{0,40}#[^\n]{0,400}?coding[:=][ \t]{0,9}([-\w.]{1,40})/.exec(text);
  if (encoding && !/^(?:utf-?8|ascii|us-ascii|latin-?1|iso-8859-1)$/i.test(encoding[1] ?? ''))
    found.push(unanalysed('code', `coding: ${encoding[1]}`, 0, encoding[0].length));
  return found;
}

/** The programs in calls that start one, as far as the call has its name. */
const CALLS =
  /\b(?:subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|os\.(?:system|popen))\(\s{0,40}[[(]?\s{0,40}["']([\w./~+-]{1,200})/g;

/** A call of `open` that reads: it has no mode, or a literal mode that reads. */
const isReading = (call: string): boolean =>
  /^open\((?![ \t\n]{0,40}\*)[ \t\n]{0,40}(?:[^()"',\n]|"[^"\n]{0,200}"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)){1,200}(?:,[ \t\n]{0,40}(?:mode=)?["']r[bt]?["'])?(?:,[ \t\n]{0,40}(?:encoding|errors|newline)=[^,()\n]{1,60})*[ \t\n]{0,40},?[ \t\n]{0,40}\)/.test(
    call,
  );

/** A method `open` that reads. */
const isReadingMethod = (call: string): boolean =>
  /^\.open\((?:[ \t]*(?:mode=)?["']r[bt]?["'])?(?:[ \t]*,?[ \t]*(?:encoding|errors|newline)=[^,()\n]{1,60})*\)/.test(
    call,
  );

/** The arguments of a call: strings, and text without strings and with at most one level of parentheses. */
const ARGUMENT = String.raw`(?:"(?:\\.|[^"\\\n]){0,200}"|'(?:\\.|[^'\\\n]){0,200}'|[^(),"']|\([^()]{0,100}\)){0,100}`;

/** A call of `replace` on a string, with two arguments, or on a date. `Path.replace` has one argument. */
const REPLACE = new RegExp(
  String.raw`^\.replace\((?:${ARGUMENT},|\s{0,40}(?:year|month|day|hour|minute|second|microsecond|tzinfo|fold)=)`,
);
const CONFIG = /^basicConfig\((?:[^()*]|\([^()]{0,200}\)){0,300}\)/;

/**
 * Code that starts programs, changes files or finds names at run time. A test returns whether a use is harmless; it
 * receives the text from the match on, and the match.
 */
const SUSPECTS: readonly (readonly [RegExp, ((text: string, match: string) => boolean)?])[] = [
  [/(?<![\w.])(?:eval|exec|compile|__import__|getattr|setattr|globals|locals|vars|breakpoint|help)\b(?!\s{0,9}=[^=])/g],
  [/(?:\.|\b)(?:get_type_hints|ForwardRef|make_dataclass)\b|\.(?:eval|exec|system|popen|attrgetter|methodcaller)\b/g],
  [/(?<![\w.])open\b/g, isReading],
  [/\.open\b/g, isReadingMethod],
  [
    /\.(?:write_text|write_bytes|unlink|mkdir|rmdir|touch|rename|symlink_to|hardlink_to|link_to|chmod|lchmod|copy_into|move|move_into|FileType)\b/g,
  ],
  [/\.replace\b/g, (text) => REPLACE.test(text)],
  [/\bbasicConfig\b/g, (text) => !/\b(?:filename|handlers)\b/.test(CONFIG.exec(text)?.[0] ?? 'filename')],
  [
    /\b__(?:builtins|globals|subclasses|dict|getattribute|getattr|loader|spec|reduce|reduce_ex|code|closure|mro|base|bases|self|func)__/g,
  ],
  [/\.(?:f_globals|f_builtins|f_locals|[gtc][ibr]_frame|ag_frame)\b/g],
  // Modules that other modules import, such as `glob.os`.
  [
    /\.[ \t]{0,9}_?(?:os|sys|subprocess|shutil|io|builtins|bltns|importlib|socket|ctypes|pty|posix|posixpath|ntpath|nt|runpy|codecs|inspect|linecache)\b/g,
  ],
  // Python normalizes the letters of names, so these may spell another name.
  [/[^\p{ASCII}]{1,60}/gu, (_, match) => match.normalize('NFKC') === match],
];

interface Imports {
  readonly found: readonly Unanalysed[];
  /** The names of modules with members that are not harmless. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The code, with spaces in place of the imports. */
  readonly rest: string;
}

/** The maximum length of a list of imported names. */
const MAX_LIST = 20_000;

/** One statement. Python reserves the word `import`, so that every occurrence in code is an import. */
const IMPORT =
  /(?:(?<!\w)from[ \t]{1,40}([.\p{L}\p{N}_ \t]{0,200}?)[ \t]{0,40})?(?<![\p{L}\p{N}_])import(?![\p{L}\p{N}_])[ \t]{0,40}(\([^()]{0,20000}\)|[^;\n]{0,20000})/gu;

function importsIn(code: string, scanned: ScannedFiles): Imports {
  const found: Unanalysed[] = [];
  const aliases = new Map<string, string>();
  for (const { 0: all, 1: source, 2: list = '', index } of code.matchAll(IMPORT)) {
    const report = (name: string) => found.push(unanalysed('module', name, index, index + all.length));
    const names = list
      .replace(/[()]/g, ' ')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const from = source?.replace(/[ \t]/g, '');
    if (names.length === 0 || list.length >= MAX_LIST || (list.includes('(') && !list.includes(')')))
      report(from ?? 'import');
    for (const one of names) {
      const [, name = '', alias = name] = /^([^\s]+)(?:\s+as\s+(\S+))?$/.exec(one) ?? [];
      const module = from ?? name;
      const isLocal = module.startsWith('.') || scanned.isModule(module);
      if (module === '' || name === '') report(one);
      else if (isLocal ? !isKnownLocal(module, name, from !== undefined, scanned) : !PYTHON_MODULES.has(module))
        report(isLocal ? module : packageOf(module));
      else if (!isLocal && from !== undefined) {
        const members = PYTHON_MEMBERS.get(module);
        const whole = `${module}.${name}`;
        if (PYTHON_MODULES.has(whole)) note(aliases, alias, whole);
        else if (members ? !members.has(name) : name === '*' || name.startsWith('_') || NESTED.has(name)) report(whole);
      } else if (!isLocal) {
        const first = name.split('.', 1)[0] ?? name;
        if (alias === name) note(aliases, first, first);
        else note(aliases, alias, name);
      }
    }
  }
  return { found, aliases, rest: code.replace(IMPORT, (all) => all.replace(/[^\n]/g, ' ')) };
}

/** Packages whose modules differ so much that a module is named with its package. */
const SPLIT = /^(?:azure|concurrent|email|google|http|json|logging|unittest|urllib|xml)\./;

/** Returns the package of a module, such as `pptx` of `pptx.util`. */
const packageOf = (module: string): string => (SPLIT.test(module) ? module : (module.split('.', 1)[0] ?? module));

/** Modules that harmless modules import, and that can be imported from them. */
const NESTED: ReadonlySet<string> = new Set(
  'os sys io subprocess shutil builtins importlib socket ctypes codecs posixpath types'.split(' '),
);

/** Returns whether a module of the skill's folder is scanned. A name after `from` may be a module in a folder. */
function isKnownLocal(module: string, name: string, isFrom: boolean, scanned: ScannedFiles): boolean {
  const base = module.replace(/^\.+/, '');
  return (
    (base !== '' && scanned.isModule(base)) || (isFrom && scanned.isModule(base === '' ? name : `${base}.${name}`))
  );
}

function note(aliases: Map<string, string>, alias: string, module: string): void {
  if (PYTHON_MEMBERS.has(module)) aliases.set(alias, module);
}

/** Returns the members of modules such as `os` that are not known to be harmless. */
function membersIn(code: string, aliases: ReadonlyMap<string, string>): readonly Unanalysed[] {
  if (aliases.size === 0) return [];
  const names = new RegExp(
    `(?<![\\w.])(${[...aliases.keys()].join('|')})(?!\\w)([ \\t]{0,9}\\.[ \\t]{0,9}(\\w{1,60}))?`,
    'g',
  );
  return [...code.matchAll(names)].flatMap(({ 0: all, 1: alias = '', 3: member, index }) => {
    const module = aliases.get(alias) ?? alias;
    const rest = code.slice(index + all.length, index + all.length + 20);
    const isKnown = member !== undefined && PYTHON_MEMBERS.get(module)?.has(member) === true;
    if (isKnown && (member !== 'environ' || /^\s*(?:\.get\b|\[)/.test(rest))) return [];
    const name = member === undefined ? module : `${module}.${member}`;
    return [unanalysed('code', name, index, index + all.length)];
  });
}

/**
 * Replaces comments and strings with spaces and joins continued lines, without changing offsets. The expressions in an
 * f-string stay.
 */
function withoutLiterals(text: string): string {
  const parts: string[] = [];
  const space = (from: number, to: number) => parts.push(text.slice(from, to).replace(/[^\n]/g, ' '));
  /** The open f-strings, each with its quotes and the number of open braces. */
  const open: { readonly quotes: string; braces: number }[] = [];
  let at = 0;
  const readString = (quotes: string, isFormat: boolean): void => {
    const body = quotes.length === 3 ? STRING_BODIES.long : STRING_BODIES.short;
    for (;;) {
      body.lastIndex = at;
      const found = body.exec(text)?.[0] ?? '';
      space(at, at + found.length);
      at += found.length;
      const character = text[at];
      if (character === undefined) return;
      if (text.startsWith(quotes, at) || (character === '\n' && quotes.length === 1)) {
        const length = character === '\n' ? 1 : quotes.length;
        space(at, at + length);
        at += length;
        return;
      }
      if (isFormat && character === '{' && text[at + 1] !== '{') {
        open.push({ quotes, braces: 0 });
        parts.push(' ');
        at++;
        return;
      }
      const length = isFormat && character === '{' ? 2 : 1;
      space(at, at + length);
      at += length;
    }
  };
  while (at < text.length) {
    const [, prefix = '', quotes = ''] = matchAt(OPENING, text, at) ?? [];
    const inside = open.at(-1);
    const character = text[at] as string;
    if (quotes !== '') {
      parts.push(' '.repeat(prefix.length + quotes.length));
      at += prefix.length + quotes.length;
      readString(quotes, /f|t/i.test(prefix));
    } else if (character === '#') {
      const end = text.indexOf('\n', at);
      space(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end;
    } else if (character === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) {
      const length = text[at + 1] === '\r' ? 3 : 2;
      parts.push(' '.repeat(length));
      at += length;
    } else if (inside && character === '}' && inside.braces === 0) {
      open.pop();
      parts.push(' ');
      at++;
      readString(inside.quotes, true);
    } else {
      if (inside && '{}'.includes(character)) inside.braces += character === '{' ? 1 : -1;
      const word = matchAt(PLAIN, text, at)?.[0] ?? character;
      parts.push(word);
      at += word.length;
    }
  }
  return parts.join('');
}

const OPENING = /([A-Za-z]{0,3})("""|'''|"|')/y;
/** Text without quotes, comments, braces and line breaks. A word is never cut, because it may be a prefix. */
const PLAIN = /[\p{L}\p{N}_]+|[^"'#\\{}\p{L}\p{N}_]+/uy;
/** The text of a string up to a quote, a brace or, in a short string, the end of the line. */
const STRING_BODIES = { long: /(?:\\[\s\S]|[^\\"'{]+)+/y, short: /(?:\\[\s\S]|[^\\"'{\n]+)+/y } as const;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
