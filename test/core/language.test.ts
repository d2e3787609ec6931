/**
 * Counts phrases that plain English seldom uses (`docs/style.md`), for each kind of text. A failure lists the
 * sentences.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { commentsOf, type Source, sourceOf, sources } from './sources.ts';

interface Text {
  readonly path: string;
  /** Counted from 1; 0 in a file of data. */
  readonly line: number;
  readonly text: string;
}

const PHRASES: readonly RegExp[] = [
  /^(?:Of|Behind|Beyond|Beside|Between|Among|Within|Over|Below|To whom|From without) [a-z`]/,
  /\b(?:is|are|was|were|be|been) told\b|\btell(?:s|ing)? (?:of|that|what|which|where|whether|once|apart)\b/,
  /\bsa(?:y|ys|id|ying) of\b|\b(?:is|are|was) said\b|\bsays? nothing\b/,
  /\b(?:stand|stands|stood|standing) (?:in|at|on|there|here|beside|behind|before|below|above|where|alone|for whoever|as)\b/,
  /\b(?:is|are|be|was|were) no (?!longer\b|more\b|other\b|such\b)\w+|\b(?:is|are) none\b/,
  /\b(?:nobody|somebody|whoever|whom|whatever|anybody|everybody)\b/,
  /\banew\b|\ball the same\b|\b(?:its|their|his) like\b|\bin vain\b|\bbut for\b|\bmidst\b|\b(?:there|where)of\b/,
  /\bfrom without\b|\bas far as is known\b/,
  /\btake[sn]? (?:in|away|over from|along|for)\b|\btook (?:in|away)\b/,
  /\bso (?:many|much|long)\b(?! (?:that|as))/,
  /\b\w+ alone\b(?=[.,;:)]|$)/,
  /\b(?:lie|lies|lay) (?:in|at|there|below|beside|above)\b/,
  /\bgoes? (?:before|by|with|along|away)\b|\bha(?:s|ve) gone\b/,
  /\b(?:come|comes|become|becomes) of\b|\bwhat becomes\b/,
];
/** A comment that is neither a verb phrase nor a noun phrase. */
const TITLE = /^(?:What|Who|Whose|Whom|Where|Whether|Which|Those|As (?:in|it|written)|The same(?: |$))[^?]*$/;

/** A lower-case word and a space, which paths, identifiers and patterns do not contain. */
const PROSE = /[a-z]{2,} /;

const filesBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
      posix.join(folder, path.replaceAll('\\', '/')),
    ),
  );

const scripts = filesBelow('bench', 'lab', 'test')
  .filter((path) => /\.(?:tsx?|mts|mjs)$/.test(path) && !/\/(?:fixtures|data|node_modules)\//.test(path))
  .map(sourceOf);
const tests = scripts.filter(({ path }) => path.startsWith('test/'));

const comments = [...sources, ...scripts].flatMap((source) =>
  commentsOf(source).map(({ path, line, lines }): Text => ({ path, line, text: lines.join(' ') })),
);
const messages = sources
  .filter(({ path }) => !/\/clients\//.test(path))
  .flatMap((source) => stringsIn(source, /(['`])((?:\\.|(?!\1).){18,})\1/g))
  .filter(({ text }) => /[a-z] [a-z]/.test(text) && !/^[\w-]+\//.test(text));
const testNames = tests.flatMap((source) => stringsIn(source, /\b(?:it|test|describe)\w*\(\s*(['"`])(.+?)\1\s*[,)]/g));
const interfaceTexts = Object.values(
  JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>,
).map((text): Text => ({ path: 'package.nls.json', line: 0, text }));
const pages = [
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
  ...['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/pipelines/README.md'],
  ...['server', 'client', 'bench', 'lab'].map((folder) => posix.join(folder, 'README.md')),
].flatMap(linesOfProse);

atMost(10, 'messages', messages);
atMost(5, 'the interface', interfaceTexts);
atMost(40, 'pages', pages);
atMost(150, 'comments', comments, [...PHRASES, TITLE]);
atMost(60, 'test names', testNames);

/** Tests that at most `limit` sentences contain a phrase. The phrases detect a habit, so single matches are allowed. */
function atMost(limit: number, where: string, texts: readonly Text[], phrases = PHRASES): void {
  test(`at most ${limit} sentences in ${where} contain phrases that are rare in plain English`, () => {
    assert.ok(texts.length > 20, 'texts are found');
    const odd = texts.flatMap(({ path, line, text }) =>
      sentencesOf(text)
        .filter((sentence) => phrases.some((phrase) => phrase.test(sentence)))
        .map((sentence) => `${path}:${line}: ${sentence}`),
    );
    assert.ok(odd.length <= limit, `${odd.length} sentences:\n${odd.join('\n')}`);
  });
}

function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.;:!?]) (?=[A-Z`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => PROSE.test(sentence));
}

/** The second group of each match, except in imports and comments, which contain no messages. */
function stringsIn({ path, lines }: Source, expression: RegExp): readonly Text[] {
  return lines.flatMap((line, at) =>
    /^\s*(?:\/\/|\/?\*)|\bimport /.test(line)
      ? []
      : [...line.matchAll(expression)].map(([, , text = '']): Text => ({ path, line: at + 1, text })),
  );
}

/** Returns the lines of a page that are outside fences, without the marks at their beginning. */
function linesOfProse(path: string): readonly Text[] {
  let fence = '';
  return sourceOf(path).lines.flatMap((line, at) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : '';
      return [];
    }
    const text = line.replace(/^[#>|*\-\s\d.]+/, '').replaceAll('|', '. ');
    return fence === '' ? [{ path, line: at + 1, text }] : [];
  });
}
