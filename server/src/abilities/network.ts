/** Finds skills that claim to need no network, and scripts that use the network (docs/abilities.md, "Scripts"). */
import { findValue, stringOf } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineStartsOf, type Span, span } from '../text.ts';
import { fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import type { FolderFile } from './folder.ts';
import { languageOf, type ScriptLanguage, withoutComments } from './scripts.ts';

const LINK = String.raw`(?:network|internet)(?:[ \t]{1,4}(?:access|calls?|connections?|connectivity|requests?|traffic|use|usage))?`;
const NEEDED = '(?:required|needed|necessary|used)';

/**
 * The words that deny any network use. The pattern does not match a denial that continues with more words, because they
 * may limit it to one purpose.
 */
const DENIAL = new RegExp(
  String.raw`\b(?:(?:no|without)\s{1,4}(?:any\s{1,4})?(?:(?:external|outbound|outgoing|live)\s{1,4})?${LINK}(?:\s{1,4}(?:is\s{1,4}|are\s{1,4})?${NEEDED})?` +
    String.raw`|(?:does not|do not|doesn['’]t|don['’]t)\s{1,4}(?:need|require|use)\s{1,4}(?:any\s{1,4}|the\s{1,4})?${LINK}` +
    String.raw`|${LINK}\s{1,4}(?:is\s{1,4}|are\s{1,4})?(?:not|never)\s{1,4}${NEEDED}` +
    String.raw`|(?:works|runs|fully|completely|entirely)\s{1,4}offline)(?=\s{0,4}(?:$|[.,;:!()\n–—]|-\s|(?:and|or)\s))`,
  'i',
);

/** Words that can limit a denial of network use to a part of the work, a time or a purpose. */
const LIMITED =
  /\b(?:network|internet|online|web|https?|downloads?|fetch\w*|except\w*|unless|after|once|first|initial\w*|optional\w*|but|other than|besides|apart|default|if|when|until|during|while|install\w*|setup|most(?:ly)?|usually|partly|some)\b/i;

/** The number of characters that are read from a value. */
const MAX_LENGTH = 2000;

export interface Denial {
  readonly words: string;
  readonly span: Span;
}

/** Returns the part of `compatibility` that says that the whole skill needs no network; otherwise undefined. */
export function deniedNetwork({ text, frontmatter }: SkillFile): Denial | undefined {
  const node = findValue(frontmatter.tree.root, 'compatibility');
  const value = stringOf(node)?.slice(0, MAX_LENGTH) ?? '';
  const words = DENIAL.exec(value)?.[0];
  if (!node || words === undefined || LIMITED.test(value.replace(words, ' '))) return undefined;
  // If a line break or an escape separates the words, the span is the whole value.
  const at = text.slice(node.span.start, node.span.end).indexOf(words);
  return { words, span: at < 0 ? node.span : span(node.span.start + at, node.span.start + at + words.length) };
}

export interface NetworkCall {
  /** The path relative to the skill's folder. */
  readonly path: string;
  /** The command or function that uses the network. */
  readonly by: string;
  /** The line, counted from 0. */
  readonly line: number;
}

/**
 * The patterns that match network calls. The first group of a match is reported. Imports do not count, because a module
 * can be used without the network.
 */
const CALLS: Readonly<Record<ScriptLanguage, readonly RegExp[]>> = {
  shell: [
    /^[ \t]{0,40}(?:(?:if|while|until|then|do|else|!|sudo|exec|time)[ \t]{1,4}){0,3}(?:\w{1,40}=["']?\$\([ \t]{0,4})?(curl|wget|git[ \t]+(?:clone|fetch|pull|push)|(?:npm|pnpm|yarn|bun)[ \t]+(?:install|ci|add|publish)|pip3?[ \t]+install|(?:cargo|gem|brew|apt|apt-get|dnf|apk)[ \t]+install)(?=\s|$)/gm,
    /(?:[;&|]|\$\()[ \t]{0,9}(curl|wget)(?=[ \t]+["']?(?:-|https?:))/gm,
    /\bpython3?[ \t][^\n]{0,300}?\b(urlopen|urlretrieve|requests\.(?:get|post|put|patch|delete))\(/g,
  ],
  python: [
    /(?<![\w.])((?:requests|httpx)\.(?:get|post|put|patch|delete|head|request|stream|Session|Client|AsyncClient)|(?:(?:urllib\.)?request\.)?(?:urlopen|urlretrieve)|aiohttp\.ClientSession|urllib3\.PoolManager|http\.client\.HTTPS?Connection|boto3\.(?:client|resource|Session)|smtplib\.SMTP(?:_SSL)?|imaplib\.IMAP4(?:_SSL)?|ftplib\.FTP(?:_TLS)?|paramiko\.SSHClient|(?:openai\.)?(?:Async)?OpenAI|(?:anthropic\.)?(?:Async)?Anthropic)\(/g,
    /\b(?:subprocess\.\w{1,30}|os\.system|os\.popen)\([ \t\n]{0,40}\[?[ \t\n]{0,40}f?["'](curl|wget)\b/g,
  ],
  javascript: [
    /(?<![\w.#]|function[ \t])((?:globalThis\.|window\.)?fetch|axios(?:\.(?:get|post|put|patch|delete|head|request))?|https\.(?:get|request)|got(?:\.(?:get|post|put|patch|delete|head|stream))?)\((?!["'`](?:\.|\/|file:|data:|blob:)|\w{0,40}[bB]lob)(?![^\n]{0,200}\)[ \t]{0,4}\{[ \t]{0,4}$)/gm,
  ],
};

/** Addresses of the local machine. */
const LOCAL = /\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\[::1\]|file:\/\/|--(?:offline|no-index)\b/;
const ADDRESS = /\bhttps?:\/\/\w/;

/**
 * Returns the network calls in the order of the script. Text that the script prints or writes to files does not count.
 */
function networkCallsIn(path: string, text: string): readonly NetworkCall[] {
  const language = isRunBySkill(path) ? languageOf(path, text) : undefined;
  if (language === undefined || language === 'other') return [];
  const code = withoutQuotedText(language, withoutComments(language, text));
  const lines = lineStartsOf(code);
  // If a script calls the local machine, a call without a literal address may be local, too.
  const isLocal = LOCAL.test(code) || (language === 'javascript' && !ADDRESS.test(code));
  const found = CALLS[language].flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(
      ({ 0: match, 1: by = match, index }): (Omit<NetworkCall, 'path'> & { at: number })[] => {
        const at = index + match.lastIndexOf(by);
        const line = lineAt(lines, at);
        const whole = code.slice(lines[line], lines[line + 1]);
        if (LOCAL.test(whole) || (isLocal && !ADDRESS.test(whole))) return [];
        return [{ by, line, at }];
      },
    ),
  );
  return found.sort((a, b) => a.at - b.at).map(({ by, line }) => ({ path, by, line }));
}

/** Replaces here-documents in shell scripts and multi-line strings in Python scripts with spaces. */
function withoutQuotedText(language: ScriptLanguage, code: string): string {
  if (language === 'python') {
    return code.replace(/("""|''')[\s\S]*?\1/g, (quoted) => quoted.replace(/[^\n]/g, ' '));
  }
  if (language === 'javascript') return code;
  let end: string | undefined;
  const lines = code.split('\n').map((line) => {
    if (end === undefined) {
      end = /<<-?[ \t]{0,4}["']?(\w{1,40})/.exec(line)?.[1];
      return line;
    }
    if (line.trim() === end) end = undefined;
    return ' '.repeat(line.length);
  });
  return lines.join('\n');
}

/** Paths of tests, examples and templates, which a skill does not run. */
const NOT_RUN =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures|examples?|evals?|assets|templates?|sample\w{0,20}|node_modules|dist)\/|(?:^|[/._-])(?:test|spec|conftest)(?:[._-]|$)/i;

const isRunBySkill = (path: string): boolean => !NOT_RUN.test(path);

/**
 * Returns the first network call of each script. The paths of the files are relative to the folder. Scripts of a nested
 * skill do not count.
 */
export function networkCalls(files: readonly FolderFile[]): readonly NetworkCall[] {
  const others = files.filter(({ path }) => isAgentSkillName(fileNameOf(path))).map(({ path }) => `${folderOf(path)}/`);
  return files.flatMap(({ path, text }) =>
    text === undefined || others.some((other) => path.startsWith(other)) ? [] : networkCallsIn(path, text).slice(0, 1),
  );
}

/** Returns true if a file with this path can contain network calls. */
export const mayCall = (path: string): boolean =>
  isRunBySkill(path) && /\.(?:sh|bash|zsh|ksh|fish|pyw?|[cm]?[jt]s|[jt]sx)$|(?:^|\/)[^./]*$/i.test(path);
