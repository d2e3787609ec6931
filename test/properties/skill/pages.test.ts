/** Laws of long pages: every link, tag and suppression is read, whatever blocks contain it; the rest is reported. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { mentionedFiles } from '../../../server/src/skill-folder/mentioned-files.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { withoutHang } from '../../hang.ts';
import { cases, SCALE } from '../../random.ts';

const HEAD = '---\nname: tidy-notes\ndescription: Tidies notes when asked.\n---\n\n# Tidy notes\n\n';
const URI = 'file:///w/tidy-notes/SKILL.md';

/** Blocks that people write and programs generate. `@` is a link; `#` is a number. */
const BLOCKS: readonly { readonly first?: string; readonly row: string; readonly last?: string }[] = [
  { first: '| a | b | c |\n|---|---|---|\n', row: '| `--o#` | Sets it.<br>Off. | @ |\n' },
  { first: 'a | b\n--- | ---\n', row: 'o# | <b>x</b> @\n' },
  { row: '| a &amp; b &lt;# | array[#] x] [y | @ |\n' },
  { row: '- a#<br>b @ *em* **b**\n' },
  { row: '- a#\n  - b @\n    - c <br>\n' },
  { row: '- a#\n\t- b @\n' },
  { row: '-\ta# @\n' },
  { row: '- [ ] do # <br> @\n' },
  { row: '- `a`\n\n  Text @.\n\n  > quote\n' },
  { row: '- a:\n  ```sh\n  x <y> `z\n  ```\n  @\n' },
  { row: '1. **Do <it> @** *now*\n' },
  { row: '1. *a* @\n' },
  { row: 'Paragraph # <b>x</b> with *em* @.\n\n' },
  { row: 'Sentence # with *em*, **strong**, <kbd>K</kbd> and @.\n' },
  { row: 'Sentence # with snake_case_# and @. ' },
  { row: '<!-- a # -->\n@\n' },
  { row: 'Text # <!-- c --> @.\n' },
  { row: '<https://example.org/#> or <a@b.c>: @.\n' },
  { row: 'Text[^#].\n\n[^#]: Note # @.\n\n' },
  { row: 'Text [a#][r#] and @.\n\n[r#]: https://example.org/#\n\n' },
  { first: '@\n\n', row: '[r#]: https://example.org/# "x"\n' },
  { row: '> a #\n> > b <i>x</i>\n> > > c @\n\n' },
  { row: '> a # @\n>\n' },
  { row: '> - a # @\n' },
  { row: '> <details>\n> <a href="x">y</a>\n>\n> @\n>\n' },
  { row: '> a #\nb @\n\n' },
  { row: '<div>\n<a href="x#">y</a>\n</div>\n\n@\n\n' },
  { row: '<details>\n<summary>x</summary>\n\n@\n\n</details>\n\n' },
  { first: '<table>\n', row: '<tr><td>a #</td><td>b</td></tr>\n', last: '</table>\n\n@\n\n' },
  { row: '<a id=x#></a>\n@\n\n' },
  { row: '<pre>\nx #\n\n</pre>\n@\n\n' },
  { row: 'Title #\n---\n\n@\n\n' },
  { row: 'Text\n\n    code #\n\n@\n\n' },
  { row: '```bash\necho `x` <y> *a*\n``` \n\n@\n\n' },
  { row: 'a `code` ``b`c`` [x] ![i](https://x.y/#.png) <br> @\n' },
  { row: '[![b](https://x.y/#.svg)](https://x.y/#) @ ' },
  { row: '| <name> | <path/to> | "a <b>" | @ |\n' },
  { row: '### H #\nText <br> @\n' },
  { row: '$x_# < y$ & \\alpha \\* @\n\n' },
];

interface Page {
  readonly text: string;
  /** The number of links to missing files. */
  readonly links: number;
}

/** Returns a page of blocks with at least `length` characters in each. Every tenth link has a suppression above it. */
function pageOf(kinds: readonly number[], length: number): Page {
  let links = 0;
  const link = (part: string, at: number): string =>
    part.replaceAll('#', `${at}`).replaceAll('@', () => `[page](references/gone${links++}.md)`);
  const blocks = kinds.map((kind) => {
    const { first = '', row, last = '' } = BLOCKS[kind % BLOCKS.length] ?? { row: '' };
    let text = link(first, 0);
    for (let at = 1; text.length < length; at++) text += link(row, at);
    return text + link(last, 0);
  });
  return { text: HEAD + blocks.join('\n\n'), links };
}

const missing = (text: string): readonly string[] =>
  [...text.matchAll(/\((references\/gone\d+\.md)\)/g)].map(([, url = '']) => url);

/** Returns the findings of a `SKILL.md` in whose folder no other file exists. */
function findingsOf(text: string) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text });
  workspace.apply({ kind: 'folder', uri: URI, folder: new SkillFolder('file:///w/tidy-notes', []) });
  for (const path of missing(text)) {
    workspace.apply({ kind: 'exists', uri: `file:///w/tidy-notes/${path}`, exists: false });
  }
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  return check(file, workspace.analysis);
}

/** The length of a page with blocks of one kind: 1 MB if all random cases are tried. */
const LENGTH = SCALE < 1 ? 300_000 * SCALE : 1_000_000;

const kinds = fc.array(fc.nat(BLOCKS.length - 1), { minLength: 1, maxLength: 5 });

describe('a page of blocks of any kind', () => {
  for (const newLine of ['\n', '\r\n']) {
    test(`is read in full, with ${JSON.stringify(newLine)} as line break`, () => {
      fc.assert(
        fc.property(kinds, fc.nat(20_000), (chosen, length) => {
          const { text, links } = pageOf(chosen, length);
          const { body } = new SkillFile(URI, text.replaceAll('\n', newLine));
          assert.deepEqual(body?.scanned, []);
          assert.equal(body?.links.filter(({ url }) => url.startsWith('references/gone')).length, links);
        }),
        cases(100),
      );
    });
  }

  test('is read in full if it is long', () => {
    for (const [kind, { row }] of BLOCKS.entries()) {
      const { text, links } = pageOf([kind], LENGTH);
      const body = withoutHang(() => new SkillFile(URI, text).body, row);
      assert.deepEqual(body?.scanned, [], row);
      assert.equal(body?.links.filter(({ url }) => url.startsWith('references/gone')).length, links, row);
    }
  });

  test('has a finding for each broken link, except after a suppression', () => {
    fc.assert(
      fc.property(kinds, fc.nat(1_000), (chosen, length) => {
        const { text, links } = pageOf(chosen, length);
        const broken = (source: string): number =>
          findingsOf(source).filter(({ rule }) => rule === 'broken-link').length;
        assert.equal(broken(text), links);
        const lines = `${text}\n\n[last](references/gone9999.md)\n`;
        assert.equal(broken(lines), links + 1);
        const suppressed = lines.replace('\n[last]', '\n<!-- skill-disable-next-line broken-link -->\n[last]');
        assert.equal(broken(suppressed), links);
        assert.ok(!findingsOf(suppressed).some(({ rule }) => rule === 'unused-suppression'));
      }),
      cases(40),
    );
  });
});

describe('paths in code', () => {
  test('have a finding for each missing file, after any number of other paths', () => {
    const rows = Array.from({ length: 480 }, (_, at) => `| \`references/gone${at}.md\` | text |\n`).join('');
    const examples = Array.from({ length: 2100 }, (_, at) => `E.g. \`references/gone${at % 7}.md\`.\n\n`).join('');
    const text = `${HEAD}${examples}${rows}`;
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: URI, text });
    workspace.apply({ kind: 'folder', uri: URI, folder: new SkillFolder('file:///w/tidy-notes', []) });
    const file = workspace.analysis.file(URI);
    assert.ok(file);
    for (const { uris } of mentionedFiles(file)) {
      for (const uri of uris) workspace.apply({ kind: 'exists', uri, exists: false });
    }
    const findings = check(file, workspace.analysis);
    assert.equal(findings.filter(({ rule }) => rule === 'broken-link').length, 480);
  });
});

describe('a finding after many suppressed findings', () => {
  test('is reported', () => {
    const one = '<!-- skill-disable-next-line broken-link -->\n[a](references/gone1.md)\n\n';
    const findings = findingsOf(`${HEAD}${one.repeat(600)}[b](references/gone2.md)\n`);
    assert.equal(findings.filter(({ rule }) => rule === 'broken-link').length, 1);
  });
});

/** Text that would take too long to parse, or whose parsing would overflow the stack. */
const HOSTILE = [
  `${'>'.repeat(200)} a`,
  `${'- '.repeat(200)}a`,
  `${'*a _b '.repeat(20_000)}\n=`,
  `a ${'<!-- '.repeat(20_000)}\n=`,
  `${'[x]'.repeat(30_000)}\n=`,
];

describe('text that was not read', () => {
  for (const hostile of HOSTILE) {
    test(`has a finding with its lines: ${hostile.slice(0, 12)}…`, () => {
      const text = `${HEAD}Before.\n\n${hostile}\n\nAfter [a](references/gone1.md).\n`;
      const findings = withoutHang(() => findingsOf(text), hostile.slice(0, 12));
      const [unread] = findings.filter(({ rule }) => rule === 'unread-text');
      assert.ok(unread);
      assert.ok(text.slice(unread.span.start, unread.span.end).endsWith(hostile));
      assert.match(
        unread.message,
        hostile.includes('\n') ? /^Lines 10 to 11 were not read/ : /^Lines? (?:8 to )?10 (?:was|were) not read/,
      );
      // The text around it is read.
      assert.ok(findings.some(({ rule }) => rule === 'broken-link'));
    });
  }

  test('causes no finding about an unused suppression', () => {
    const comment = '<!-- skill-disable-next-line broken-link -->';
    const hostile = `${'>'.repeat(200)} [a](references/gone1.md)`;
    const findings = findingsOf(`${HEAD}${comment}\n${hostile}\n`);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['unread-text'],
    );
  });

  for (const [what, file, message] of [
    [
      'is too large',
      { path: 'references/a.md', text: undefined, isTooLarge: true },
      /has more than 1,000,000 characters/,
    ],
    [
      'has such text',
      { path: 'references/a.md', text: `# A\n\n${'>'.repeat(200)} a\n` },
      /^Line 3 of `references\/a\.md` was/,
    ],
  ] as const) {
    test(`has a finding at the link to a file that ${what}`, () => {
      const folder = 'file:///w/tidy-notes';
      const workspace = new Workspace();
      workspace.apply({ kind: 'text', uri: URI, text: `${HEAD}See [a](references/a.md).\n` });
      workspace.apply({ kind: 'exists', uri: `${folder}/references/a.md`, exists: true });
      workspace.apply({ kind: 'folder', uri: URI, folder: new SkillFolder(folder, [file]) });
      const skill = workspace.analysis.file(URI);
      assert.ok(skill);
      const [finding, ...others] = check(skill, workspace.analysis);
      assert.deepEqual(others, []);
      assert.equal(finding?.rule, 'unread-text');
      assert.match(finding.message, message);
    });
  }

  test('includes a linked file beyond the limit for the files of a folder', () => {
    const folder = 'file:///w/tidy-notes';
    const files = Array.from({ length: 201 }, (_, at) => ({ path: `references/${1000 + at}.md`, text: '# A\n' }));
    const links = files.map(({ path }) => `- [a](${path})\n`).join('');
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: URI, text: HEAD + links });
    for (const { path } of files) workspace.apply({ kind: 'exists', uri: `${folder}/${path}`, exists: true });
    workspace.apply({ kind: 'folder', uri: URI, folder: new SkillFolder(folder, files) });
    const skill = workspace.analysis.file(URI);
    assert.ok(skill);
    const unread = check(skill, workspace.analysis).filter(({ rule }) => rule === 'unread-text');
    assert.equal(unread.length, 1);
    assert.match(unread[0]?.message ?? '', /^`references\/1200\.md` was not read: the folder has more than 200 files/);
  });
});
