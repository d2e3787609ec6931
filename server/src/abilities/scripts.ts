/** Finds the resources that scripts access, by scanning their lines (docs/abilities.md, "Scripts"). */

import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../text.ts';
import type { FolderFile } from './folder.ts';

export type ScriptLanguage = 'shell' | 'python' | 'javascript';

/**
 * A kind of resource: `files` are files outside of the skill's folder; `secrets` are environment variables whose names
 * suggest secrets.
 */
export type Reach = 'network' | 'files' | 'processes' | 'secrets';

export interface Reached {
  readonly reach: Reach;
  /** The command, module, path or variable that shows the access. */
  readonly by: string;
  readonly span: Span;
}

const LANGUAGES: readonly (readonly [ScriptLanguage, RegExp, RegExp])[] = [
  ['shell', /\.(?:sh|bash|zsh|ksh|fish)$/i, /^#!.{0,80}\b(?:ba|z|da|k|fi)?sh\b/],
  ['python', /\.pyw?$/i, /^#!.{0,80}\bpython/],
  ['javascript', /\.(?:[cm]?[jt]s|[jt]sx)$/i, /^#!.{0,80}\b(?:node|bun|deno)\b/],
];

/** Files in other languages, and files for build tools. They are listed but not scanned. */
const OTHERS =
  /\.(?:ps1|psm1|psd1|bat|cmd|com|vbs|vbe|wsf|hta|ahk|rb|rake|pl|pm|t|php|phar|lua|tcl|exp|go|rs|java|kts?|swift|cc?|cpp|cxx|h|hpp|m|mm|cs|csx|fsx?|vb|scala|sc|groovy|gradle|clj|cljs|exs?|erl|hs|ml|nim|zig|dart|r|jl|awk|sed|nu|elv|applescript|scpt|command|tool|workflow|ipynb|sql|tf|hcl|nix|mk|cmake|just|jq|pyx|pyz|pyc|exe|msi|dll|so|dylib|node|jar|class|war|wasm|bin|app|appimage|deb|rpm|whl|crx)$|(?:^|\/)(?:GNU)?(?:makefile|justfile|rakefile|gemfile|dockerfile|containerfile|jenkinsfile|vagrantfile|fastfile|taskfile\.ya?ml|procfile)$/i;

/**
 * Returns the language of a script; `other` for a script that is not scanned; undefined for a file that is not a
 * script.
 */
export function languageOf(path: string, text: string): ScriptLanguage | 'other' | undefined {
  const found = LANGUAGES.find(([, ending]) => ending.test(path)) ?? LANGUAGES.find(([, , first]) => first.test(text));
  if (found) return found[0];
  return OTHERS.test(path) || text.startsWith('#!') ? 'other' : undefined;
}

/** Absolute paths and paths in the home folder, except the paths of programs. */
const PATHS =
  /(?:~|\$HOME|\$\{HOME\})\/[\w./-]{1,80}|(?<![\w.:/-])\/(?!usr\/(?:local\/)?s?bin\b|opt\/homebrew\/bin\b)(?:etc|usr|var|opt|root|home|Users|Library|proc|sys)\/[\w./-]{1,80}/g;

const NAMES = '[A-Z][A-Z0-9_]{0,60}?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS|PAT)\\b';

/** The patterns that show an access. The first group is reported, otherwise the whole match. */
const SIGNS: Readonly<Record<ScriptLanguage, readonly (readonly [Reach, RegExp])[]>> = {
  shell: [
    [
      'network',
      /(?:^|[;&|(`!]|\b(?:then|do|else|if|while|until|sudo|exec|env|time)[ \t])[ \t]{0,40}(curl|wget|ncat|nc|ssh|scp|sftp|rsync|ftp|telnet|npx|uvx|gh[ \t]+\w{1,20}|git[ \t]+(?:clone|fetch|pull|push)|(?:npm|pnpm|yarn|bun)[ \t]+(?:install|i|ci|add|publish)|(?:pip3?|uv|cargo|brew|gem|go|apt|apt-get|dnf|apk)[ \t]+(?:install|get|add|sync))\b(?![\w.-]*\()/gm,
    ],
    ['network', /\bpython3?[ \t][^\n]{0,300}?\b(urllib\.request|urlopen|requests|httpx|http\.client|socket)\b/g],
    [
      'processes',
      /(?:^|[;&|(`]|\b(?:then|do|else)[ \t])[ \t]{0,40}(eval|nohup|crontab|launchctl|systemctl|(?:ba|z|da|k)?sh[ \t]+-c)\b/gm,
    ],
    ['files', PATHS],
    ['secrets', new RegExp(`\\$\\{?(${NAMES})`, 'g')],
  ],
  python: [
    [
      'network',
      /(?:^|;)[ \t]{0,40}(?:from[ \t]{1,4}|import[ \t]{1,4}(?:[\w.]{1,40}(?:[ \t]{1,4}as[ \t]{1,4}\w{1,40})?[ \t]{0,4},[ \t]{0,4}){0,20})(requests|urllib3|urllib\.request|http\.client|http\.server|httpx|aiohttp|socket|socketserver|websockets?|ftplib|smtplib|imaplib|telnetlib|paramiko|boto3|botocore|openai|anthropic|google\.cloud|googleapiclient|selenium|playwright|pycurl)\b/gm,
    ],
    [
      'network',
      /(?:^|;)[ \t]{0,40}from[ \t]{1,4}((?:urllib|http)[ \t]{1,4}import[ \t]{1,4}(?:request|client|server))\b/gm,
    ],
    ['network', /\b(?:__import__|import_module)\([ \t]{0,4}["'](requests|urllib|http|httpx|aiohttp|socket)\b/g],
    ['network', /\b(urllib\.request\.\w{1,30}|urlopen)\(/g],
    [
      'processes',
      /\b(subprocess\.\w{1,30}|os\.system|os\.popen|os\.exec\w{1,4}|os\.spawn\w{1,4}|pty\.spawn|asyncio\.create_subprocess_\w{1,10})\(/g,
    ],
    ['processes', /(?<![\w.])(eval|exec)\(/g],
    ['files', PATHS],
    ['files', /\b(Path\.home|os\.path\.expanduser|expanduser)\(/g],
    ['secrets', new RegExp(`\\b(?:environ(?:\\.get\\(|\\[)|getenv\\()["'](${NAMES})`, 'g')],
  ],
  javascript: [
    ['network', /(?<![\w.])(fetch|XMLHttpRequest|WebSocket|EventSource|Deno\.connect|Bun\.connect)\(/g],
    [
      'network',
      /(?:\bfrom[ \t]{0,4}|\brequire\([ \t]{0,4}|\bimport[ \t(]{0,4})["'](?:node:)?(https?|http2|net|tls|dgram|axios|node-fetch|got|undici|ws|request|superagent|puppeteer|playwright)["']/g,
    ],
    [
      'processes',
      /(?:\bfrom[ \t]{0,4}|\brequire\([ \t]{0,4}|\bimport[ \t(]{0,4})["'](?:node:)?(child_process|worker_threads|execa|zx|shelljs|cross-spawn)["']/g,
    ],
    ['processes', /(?<![\w.])(eval|new Function|Bun\.spawn|Bun\.spawnSync|new Deno\.Command)\(/g],
    ['files', PATHS],
    ['files', /\b(homedir\(|process\.env\.HOME\b)/g],
    ['secrets', new RegExp(`\\bprocess\\.env(?:\\.|\\[["'])(${NAMES})`, 'g')],
  ],
};

/** The maximum number of listed accesses of one kind in a script. */
const MAX_PLACES = 20;

/** Returns the accesses of a script. `code` is its text without comments. */
export function findReached(language: ScriptLanguage, code: string): readonly Reached[] {
  const counts = new Map<Reach, number>();
  const found = SIGNS[language].flatMap(([reach, pattern]) => {
    const places: Reached[] = [];
    for (const match of code.matchAll(pattern)) {
      const count = (counts.get(reach) ?? 0) + 1;
      if (count > MAX_PLACES) break;
      counts.set(reach, count);
      const by = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(by);
      places.push({ reach, by, span: span(start, start + by.length) });
    }
    return places;
  });
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Replaces comment lines with spaces, so that offsets do not change. */
export const withoutComments = (language: ScriptLanguage, text: string): string =>
  text.replace(language === 'javascript' ? /^[ \t]*(?:\/\/|\*|\/\*).*$/gm : /^[ \t]*#.*$/gm, (line) =>
    ' '.repeat(line.length),
  );

// The programs that the commands of a skill call (docs/abilities.md, "Commands").

const SHELL_FENCES: ReadonlySet<string> = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'shell-session']);

/** Keywords and built-in commands of the shell, which need no permission. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'if then else elif fi for do done while until case esac in function return exit export set unset local declare readonly shift trap eval exec source read true false test cd echo printf pushd popd time wait break continue'.split(
    ' ',
  ),
);

const PROGRAM =
  /^[ \t]{0,40}(?:[$>] )?(?:sudo |env |exec |time )?(?:[A-Z_]{1,40}=\S{0,200} ){0,5}([a-z][\w.-]{0,40})(?=[ \t]|$)/;

/** The number of characters that are read from a skill. */
const MAX_READ = 500_000;
const MAX_LISTED = 30;

/** Returns the programs in the shell fences and scripts of a skill, the most frequent first. */
export function programsOf(skill: SkillFile, files: readonly FolderFile[]): readonly string[] {
  const fences = (skill.body?.fences ?? [])
    .filter(({ lang }) => SHELL_FENCES.has(lang))
    .map(({ contentSpan }) => sliceOf(skill.text, contentSpan));
  const scripts = files.flatMap(({ path, text }) =>
    text !== undefined && languageOf(path, text) === 'shell' ? [withoutComments('shell', text)] : [],
  );
  const counts = new Map<string, number>();
  const lines = [...fences, ...scripts].join('\n').slice(0, MAX_READ).split('\n');
  for (const command of lines.flatMap((line) => line.split(/&&|\|\||[|;]/))) {
    const program = PROGRAM.exec(command.trimEnd())?.[1];
    if (program !== undefined && !OWN_WORDS.has(program)) counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_LISTED)
    .map(([program]) => program);
}
