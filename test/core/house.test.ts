/**
 * Checks the rules of CONTRIBUTING.md, "Style": state, time and comments. Each failure names the file and the
 * line.
 */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { commentsOf, type Source, sourceOf, sources } from './sources.ts';

/** The session and the message handlers. */
const LOOP = /^server\/src\/(?:services\/session|frontends\/lsp\/handlers)\//;
/** The line limit for a comment: longer explanations belong in `docs/`, or a better name makes them unnecessary. */
const LINES_OF_A_COMMENT = 4;
/** The head of a file may explain an approach. */
const LINES_OF_A_HEAD = 6;

const inServer = sources.filter(({ path }) => path.startsWith('server/src/'));
const inCore = inServer.filter(({ path }) => !/^server\/src\/(?:frontends|services|io)\//.test(path));
const comments = sources.flatMap(commentsOf);

/** Returns `file:line: text` for every line that the expression matches. */
const linesWith = (files: readonly Source[], expression: RegExp): readonly string[] =>
  files.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => (expression.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );

// The formatter puts every statement of a module, and nothing else, in the first column.
describe('state at module level outside the front ends, the services and io', () => {
  it('contains no reassigned variables', () => {
    none(linesWith(inCore, /^(?:export )?(?:let|var) /));
  });

  it('contains no empty collections, unless they are read-only', () => {
    const empty =
      /^(?:export )?const \w+(?:: (?!readonly |Readonly|JsonObject\b).*)? = (?:new \w+(?:<.*>)?\(\)|\[\]|\{\});/;
    none(linesWith(inCore, empty));
  });

  it('contains no caches', () => {
    const remembering = /^(?:export )?const \w+\b.*= \w*(?:[Mm]emo|[Cc]ache|[Rr]emember|[Rr]ecent)\w*(?:<.*>)?\(/;
    const closing = /^(?:export )?const \w+\b.*= \((?:function\b|\(\) =>)/;
    const ofClass = /^ {2}(?:private )?static (?!\w+\(|async |get )/;
    none([remembering, closing, ofClass].flatMap((expression) => linesWith(inCore, expression)));
  });

  it('contains no mutable tables', () => {
    const changed = inCore.flatMap((source) => {
      const names = [...source.text.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name);
      if (names.length === 0) return [];
      const name = `(?<![\\w.])(?:${names.join('|')})`;
      const methods = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill';
      return linesWith(
        [source],
        new RegExp(`${name}(?:\\.(?:${methods})\\(|(?:\\[[^\\]]*\\]|\\.(?!lastIndex)\\w+) (?:\\S?|\\?\\?|\\|\\|)= )`),
      );
    });
    none(changed);
  });
});

describe('tables', () => {
  it('are maps, not records, because looking up `constructor` in a plain object finds a function', () => {
    none(
      linesWith(
        inServer,
        /^(?:export )?const \w+: (?:Readonly<)?(?:Partial<)?(?:Record<string,|\{ readonly \[\w+: string\])/,
      ),
    );
  });
});

describe('time', () => {
  it('only the clock of a session, the composing deadline, waiting for an installation and a server use timers', () => {
    const using = /\/(?:services\/(?:session\/pacing\.ts|composing\/|run\/langgraph-runtime\.ts)|io\/write-tree\.ts)/;
    const others = inServer.filter(({ path }) => !using.test(path));
    none(linesWith(others, /\bset(?:Timeout|Interval|Immediate)\(|'node:timers/));
  });

  it('a session reads the time only from its clock', () => {
    const session = inServer.filter(({ path }) => LOOP.test(path) && !path.endsWith('/session/pacing.ts'));
    none(linesWith(session, /\bperformance\.now\(|\bDate\.now\(|\bnew Date\(\)/));
  });
});

describe('comments', () => {
  it(`have at most ${LINES_OF_A_COMMENT} lines, or ${LINES_OF_A_HEAD} at the head of a file`, () => {
    const long = comments.filter(
      ({ line, lines }) => lines.length > (line === 1 ? LINES_OF_A_HEAD : LINES_OF_A_COMMENT),
    );
    none(long.map(({ path, line, lines }) => `${path}:${line}: ${lines.length} lines`));
  });

  it('contain no measured figures, which belong in bench/', () => {
    const figure = /\b\d[\d,.]*\s?(?:ms|milliseconds|KB|MB|µs|microseconds|% (?:less|more|of))(?!\w)/;
    const measured = comments.filter(({ lines }) => figure.test(lines.join(' ')));
    none(measured.map(({ path, line, lines }) => `${path}:${line}: ${figure.exec(lines.join(' '))?.[0]}`));
  });

  it('cite existing pages', () => {
    // Excludes URLs, and skill files, whose names have capitals or more than one dot.
    const page = /(?<![\w./*:-])(?:[a-z][\w-]*\/)*[a-z][\w-]*\.md\b/g;
    const cited = comments.flatMap(({ path, line, lines }) =>
      [...lines.join(' ').matchAll(page)].map(([name]) => ({ path, line, name })),
    );
    const stray = cited.filter(({ path, name }) => !existsSync(name) && !existsSync(join(dirname(path), name)));
    none(stray.map(({ path, line, name }) => `${path}:${line}: ${name}`));
  });
});

/** All code: of the product, its tests, the test runner and the benchmarks. */
const code = ['client', 'server', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
    .filter((path) => /\.(?:tsx?|[cm]?js)$/.test(path))
    .map(sourceOf),
);

describe('temporary folders', () => {
  it('are created only by `test/temporary.mjs`, and for a run of a client, by code that removes them', () => {
    const making = ['test/temporary.mjs', 'server/src/io/temporary-folder.ts'];
    const others = code.filter(({ path }) => !making.includes(path));
    none(linesWith(others, /\bmkdtemp(?:Sync)?\(|\btmpdir\(|['"`]\/tmp\b/));
  });
});

describe('programs', () => {
  it('are never started through a shell', () => {
    const files = code.filter(({ text }) => /^import .*from '(?:node:child_process|cross-spawn)';$/m.test(text));
    assert.ok(files.length > 10);
    none(linesWith(files, /\bshell: (?!(?:false|string)\b)|^\s*shell,$|^import \{[^}]*\bexec(?:Sync)?\b/));
  });

  it('are started in scripts by a single command that every shell can run', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const ran = [
      ...Object.values(scripts),
      ...[...readFileSync('action.yml', 'utf8').matchAll(/^ *run: (.*)$/gm)].map(([, command = '']) => command),
      ...[...readFileSync('.pre-commit-hooks.yaml', 'utf8').matchAll(/^ *entry: (.*)$/gm)].map(
        ([, entry = '']) => entry,
      ),
    ];
    assert.ok(ran.length > Object.keys(scripts).length + 1);
    none(ran.filter((command) => !/^(?:node|skill-composer)(?: [\w./:-]+| "\$\w+[\w./-]*")+$/.test(command)));
  });
});

describe('pages for contributors', () => {
  it('name only files that exist', () => {
    const files = ['server', 'client', 'test', 'bench', 'docs', 'lab', 'l10n', 'snippets', '.vscode'].flatMap(
      (folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
          (path) => `/${folder}/${path.replaceAll('\\', '/')}`,
        ),
    );
    const all = [...files, ...readdirSync('.').map((path) => `/${path}`)];
    const pages = ['CONTRIBUTING.md', 'server/README.md', 'client/README.md', 'docs/security.md', 'docs/templates.md'];
    const named = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs|json|md))`/g)].map(([, name = '']) => ({
        page,
        name,
      })),
    );
    // `NAME` is a placeholder for a file that the reader creates.
    const missing = named.filter(
      ({ name }) => !name.includes('NAME') && !all.some((path) => path.endsWith(`/${name}`)),
    );
    none(missing.map(({ page, name }) => `${page}: ${name}`));
  });
});

/** Fails if there are offenders, and lists each on one line. */
function none(offenders: readonly string[]): void {
  assert.ok(offenders.length === 0, `\n${offenders.join('\n')}`);
}
