/**
 * Finds the modules and the code of a JavaScript or TypeScript file whose effects are not analysed (docs/abilities.md,
 * "Not analysed"). Strings and comments at the ends of lines are read like code.
 */
import { NODE_MEMBERS, NODE_MODULES } from './harmless.ts';
import { type ScannedFiles, type Unanalysed, unanalysed } from './unanalysed.ts';

/** Returns the imported modules and the globals that are not known to be harmless. Never throws. */
export function unanalysedInJavaScript(text: string, scanned: ScannedFiles): readonly Unanalysed[] {
  const code = withoutWholeComments(text);
  const found: Unanalysed[] = [];
  const report = (kind: Unanalysed['kind'], name: string, start: number, length: number) =>
    found.push(unanalysed(kind, name, start, start + length));
  const namespaces = new Map([['process', 'process']]);
  let rest = code;
  for (const pattern of IMPORTS) {
    rest = rest.replace(pattern, (all: string, ...groups: unknown[]) => {
      const { names, member, module = '' } = groups.at(-1) as Import;
      const index = groups.at(-3) as number;
      const name = module.replace(/^node:/, '');
      if (/^type\s/.test(names ?? '')) return all.replace(/[^\n]/g, ' ');
      if (name.startsWith('.')) {
        if (!scanned.isImport(name)) report('module', module, index, all.length);
      } else if (name === 'process') {
        if (names?.trim() !== 'process') report('module', module, index, all.length);
      } else if (!NODE_MODULES.has(name)) report('module', packageOf(module), index, all.length);
      else
        for (const word of unknownMembers(name, member ?? names, member !== undefined, namespaces))
          report('code', word, index, all.length);
      return all.replace(/[^\n]/g, ' ');
    });
  }
  for (const [pattern, isHarmless] of SUSPECTS) {
    for (const { 0: match, index } of rest.matchAll(pattern)) {
      const isKnown = isHarmless?.(rest.slice(index, index + 200));
      if (!isKnown) report('code', match.trim(), index, match.length);
    }
  }
  for (const { name, index, length } of membersIn(rest, namespaces)) report('code', name, index, length);
  const calls = STARTERS.test(code) ? code.matchAll(CALLS) : [];
  for (const { 1: name = '', index, 0: match } of calls) report('program', name, index, match.length);
  return found;
}

/** Returns the package of a module, such as `@a/b` of `@a/b/c.js`. */
const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

/** The modules that start programs. */
const STARTERS = /["'](?:node:)?(?:child_process|execa|cross-spawn)["']/;

/** The programs in calls that start one, as far as the call has its name. */
const CALLS =
  /(?<![\w$])(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync)\(\s{0,40}["'`]([\w./~+-]{1,200})/g;

/** The groups of an import. */
interface Import {
  /** The names that the script declares. */
  readonly names?: string;
  /** The member after a call of `require`. */
  readonly member?: string;
  readonly module?: string;
}

const MODULE = String.raw`["'](?<module>[^"'\n]{1,200})["']`;

/** Imports with a literal module. */
const IMPORTS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\w$.])(?:import|export)(?![\w$])\s{0,40}(?<names>[\w$\s,*{}]{1,1000}?)\s{0,40}\bfrom\s{0,40}${MODULE}`,
    'g',
  ),
  new RegExp(String.raw`(?<![\w$.])import\s{0,40}${MODULE}`, 'g'),
  new RegExp(
    String.raw`(?<![\w$.])(?:const|let|var|import)\s{1,40}(?<names>[\w$\s,:{}]{1,1000}?)\s{0,40}=\s{0,40}(?:await\s{1,40})?(?:require|import)\s{0,9}\(\s{0,40}${MODULE}\s{0,40}\)(?![\s]{0,40}[.[(])`,
    'g',
  ),
  new RegExp(
    String.raw`(?<![\w$.])(?:require|import)\s{0,9}\(\s{0,40}${MODULE}\s{0,40}\)(?:\s{0,40}\.\s{0,40}(?<member>[\w$]{1,80}))?`,
    'g',
  ),
];

/** Globals that use the network, files or programs, and code that finds names at run time. */
const SUSPECTS: readonly (readonly [RegExp, ((code: string) => boolean)?])[] = [
  [
    /(?<![\w$]|(?<!\.\.)\.)(?:eval|Function|fetch|XMLHttpRequest|WebSocket|EventSource|Worker|SharedWorker|importScripts|Deno|Bun|globalThis|global|window|self|navigator|document|location|localStorage|Reflect|WebAssembly|(?<!require\.main\s{0,9}={2,3}\s{0,9})module)(?![\w$]|\s{0,9}:(?!:))/g,
    (code) => /^module(?:\.exports|\s{0,9}={2,3}\s{0,9}require\.main)\b/.test(code),
  ],
  [
    /(?<![\w$]|(?<!\.\.)\.)require(?![\w$])(?=\s{0,2000}[([.;,)=\]/?:}])/g,
    (code) => /^require\.(?:main|resolve)\b/.test(code),
  ],
  [/(?<![\w$.])import\s{0,2000}[(/?]/g],
  [/(?<![\w$.])import\s{0,2000}\.(?!\s{0,9}meta\.(?:url|dirname|filename|main)\b)/g],
  [/(?:^|[;}/])[ \t]{0,40}import(?![\w$])\s{0,2000}(?=[^\s.(])/gm],
  [/\bconstructor\b(?!\s{0,9}\()|\.constructor\b/g],
  // `arguments[1]` of a module is `require`.
  [/(?<![\w$.])arguments\s{0,9}\[[^\]\n]{1,80}\](?=\s{0,9}\()/g],
  // Escapes in names: `\u0065val` is `eval`.
  [/\\u(?:00[46-7]|\{0{0,8}[46-7][\da-f]\})[\da-f]?/gi],
];

/**
 * Returns the members of a module that are not known to be harmless. Notes the name of the module in the script.
 * `isMember` means that `names` is the member after `require(…)`.
 */
function unknownMembers(
  module: string,
  names = '',
  isMember: boolean,
  namespaces: Map<string, string>,
): readonly string[] {
  const members = NODE_MEMBERS.get(module);
  if (!members) return [];
  if (isMember) return members.has(names) && names !== 'promises' ? [] : [`${module}.${names}`];
  const listed = /\{([^{}]*)\}/.exec(names)?.[1] ?? '';
  const whole = names
    .replace(/\{[^{}]*\}/, '')
    .replace(/\*\s*as\b/, '')
    .replaceAll(',', ' ')
    .trim();
  const words = listed
    .split(',')
    .map((one) => one.trim().split(/\s*:\s*|\s+as\s+/))
    .filter(([one]) => one !== '');
  for (const [one, alias = one] of words) if (one === 'promises' && alias) namespaces.set(alias, 'fs/promises');
  if (/^[\w$]+$/.test(whole)) namespaces.set(whole, module);
  else if (whole !== '' || words.length === 0) return [module];
  return words.flatMap(([one = '']) => (members.has(one) ? [] : [`${module}.${one}`]));
}

interface Member {
  readonly name: string;
  readonly index: number;
  readonly length: number;
}

/** Returns the uses of modules and of `process` with members that are not known to be harmless. */
function membersIn(code: string, namespaces: ReadonlyMap<string, string>): readonly Member[] {
  const names = [...namespaces.keys()].map((name) => name.replaceAll('$', '\\$')).join('|');
  const use = new RegExp(
    `(?<![\\w$]|(?<!\\.\\.)\\.)(${names})(?![\\w$])(\\s{0,40}\\??\\.\\s{0,40}([\\w$]{1,80}))?(\\s{0,9}\\.\\s{0,9}([\\w$]{1,80}))?`,
    'g',
  );
  return [...code.matchAll(use)].flatMap(({ 0: all, 1: alias = '', 3: member, 5: second, index }) => {
    const module = namespaces.get(alias) ?? alias;
    const isKnown =
      member !== undefined &&
      NODE_MEMBERS.get(module)?.has(member) === true &&
      (member !== 'env' || second !== undefined || code[index + all.length] === '[');
    const nested = module === 'fs' && member === 'promises';
    const isNestedKnown = nested && second !== undefined && NODE_MEMBERS.get('fs/promises')?.has(second) === true;
    if (nested ? isNestedKnown : isKnown) return [];
    const name = [module, member, nested ? second : undefined].filter((one) => one !== undefined).join('.');
    return [{ name, index, length: all.length }];
  });
}

/**
 * Replaces comments that begin a line with spaces. A comment with a backtick or `${` stays, because it may be part of a
 * template.
 */
function withoutWholeComments(text: string): string {
  const parts: string[] = [];
  const opening = /^[ \t]*\/(?:\/[^\n\r\u2028\u2029]*|\*)/gm;
  let at = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const { 0: start, index } = found;
    const close = start.endsWith('/*') ? text.indexOf('*/', index + start.length) : index + start.length - 2;
    if (close < 0) break;
    const comment = text.slice(index, close + 2);
    parts.push(text.slice(at, index), /`|\$\{/.test(comment) ? comment : comment.replace(/[^\n]/g, ' '));
    at = close + 2;
    opening.lastIndex = at;
  }
  return parts.join('') + text.slice(at);
}
