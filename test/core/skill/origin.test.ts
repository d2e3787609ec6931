/** The origin of a converted `SKILL.md`: where it comes from, and whether it was edited. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { fileDigest, originOf, ownDigest, sourcePath, withOrigin } from '../../../server/src/skill/origin.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

const URI = 'file:///w/.claude/skills/a/SKILL.md';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (text: string): SkillFile => new SkillFile(URI, text);
const read = (text: string) => originOf(file(text));

const PLAIN = '---\nname: a\ndescription: It does.\nallowed-tools: Read\n---\n\n# A\n';
const FROM = { source: '../../../skills/a.skill.md', sources: '0123456789ab' };

describe('the origin of a SKILL.md', () => {
  for (const [what, text] of [
    ['without metadata', PLAIN],
    ['with metadata', PLAIN.replace('allowed', 'metadata:\n  version: "1"\nallowed')],
  ] as const) {
    it(`is written into a file ${what}, and read again`, () => {
      const made = withOrigin(text, FROM, new Map([['notes/my list=1 %.md', 'ba9876543210']]));
      const origin = read(made);
      assert.equal(origin?.source, FROM.source);
      assert.equal(origin?.sources, FROM.sources);
      assert.deepEqual([...(origin?.files.keys() ?? [])], ['SKILL.md', 'notes/my list=1 %.md']);
      assert.equal(origin?.files.get('SKILL.md'), ownDigest(file(made)));
      assert.equal(made.replace(/metadata:\n|^ {2}(?:generated|version).*\n/gm, ''), PLAIN);
      assert.match(made, /^allowed-tools: Read\n---$/m);
    });
  }

  it('detects an edit of the text and of the origin, but not other line breaks', () => {
    const made = withOrigin(PLAIN, FROM, new Map());
    const digest = read(made)?.files.get('SKILL.md');
    assert.equal(ownDigest(file(made.replaceAll('\n', '\r\n'))), digest);
    assert.equal(read(made.replaceAll('\n', '\r\n'))?.files.get('SKILL.md'), digest);
    assert.notEqual(ownDigest(file(made.replace('It does', 'It did'))), digest);
    assert.notEqual(ownDigest(file(made.replace('../skills/a', '../skills/b'))), digest);
    assert.equal(fileDigest(bytes('a\r\nb\r\n')), fileDigest(bytes('a\nb\n')));
    assert.notEqual(fileDigest(bytes('a\rb')), fileDigest(bytes('ab')));
  });

  it('counts any other text on the line of the digests as an edit', () => {
    const others = new Map([['notes/list.md', 'ba9876543210']]);
    const lineOf = (text: string): string => /^.*generated-digests.*$/m.exec(text)?.[0] ?? '';
    for (const text of [
      PLAIN,
      PLAIN.replaceAll('\n', '\r\n'),
      PLAIN.replace('allowed', 'metadata: # of us\n    v: 1\nallowed'),
    ]) {
      const made = withOrigin(text, FROM, others);
      const digest = read(made)?.files.get('SKILL.md');
      assert.equal(ownDigest(file(made)), digest);
      const line = lineOf(made);
      const value = line.slice(line.indexOf(':') + 2).trimEnd();
      for (const other of [
        ...[line.trimEnd().concat(' # KEEP'), line.trimEnd().concat(' '), line.trimEnd().concat('\t')],
        ...[
          line.replace(': ', ':  '),
          line.replace(': ', ' : '),
          line.replace('generated-digests', '"generated-digests"'),
        ],
        ...[
          line.replace(value, `"${value}"`),
          line.replace(value, `'${value}'`),
          line.replace(value, `!!str ${value}`),
        ],
        ...[
          line.replace(value, `&it ${value}`),
          line.replace(' SKILL', '\n      SKILL'),
          line.replace(value, `>-\n      ${value}`),
        ],
        ...[`${line}\n  # KEEP`, `  # KEEP\n${line}`, `\n${line}`, `${line.trimEnd()}\n`, `${line}\n${line}`],
        ...[line.replace(value, `"\\x${value.charCodeAt(0).toString(16)}${value.slice(1)}"`)],
      ]) {
        const edited = file(made.replace(line, () => other));
        const known = originOf(edited)?.files.get('SKILL.md');
        assert.notEqual(ownDigest(edited), known ?? digest, JSON.stringify(other));
      }
      const moved = made.replace(`${line}\n`, '').replace(/^.*generated-from/m, (from) => `${line}\n${from}`);
      assert.notEqual(ownDigest(file(moved)), digest, 'the line was moved');
    }
  });

  it('has the right digest if a name needs quotes or escapes', () => {
    for (const name of ['#list.md', '- a.md', "it's.md", 'ä.md', '%.md', '=.md']) {
      const made = withOrigin(PLAIN, FROM, new Map([[name, 'ba9876543210']]));
      assert.equal(read(made)?.files.get('SKILL.md'), ownDigest(file(made)), made);
    }
  });

  it('is ignored if it is incomplete, or names a file outside the folder', () => {
    const made = withOrigin(PLAIN, FROM, new Map([['b.md', 'ba9876543210']]));
    assert.ok(read(made));
    for (const [from, to] of [
      ['generated-from', 'generated-form'],
      ['generated-digests', 'generated-digest'],
      ['0123456789ab', '0123'],
      [' b.md=', ' ../b.md='],
      [' b.md=', ' /b.md='],
      [' b.md=', ' %2e%2e/b.md='],
      ['SKILL.md=', 'skill.txt='],
    ] as const) {
      assert.equal(read(made.replace(from, to)), undefined, `${from} → ${to}`);
    }
  });

  it('is written below `metadata` if another block contains the same lines', () => {
    const lines = `  generated-from: ${FROM.source}\n  generated-digests: none\n`;
    const text = PLAIN.replace('allowed', `hooks:\n${lines}allowed`);
    const made = withOrigin(text, FROM, new Map());
    assert.ok(made.includes(`hooks:\n${lines}`));
    assert.equal(read(made)?.files.get('SKILL.md'), ownDigest(file(made)));
    assert.equal(read(made)?.source, FROM.source);
  });

  it('is read once for each file, and ignored if it names more than a thousand files', () => {
    const others = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`${at}.md`, 'ba9876543210']));
    const many = file(withOrigin(PLAIN, FROM, others(999)));
    assert.equal(originOf(many)?.files.size, 1_000);
    assert.equal(originOf(many), originOf(many));
    assert.equal(read(withOrigin(PLAIN, FROM, others(1_000))), undefined);
  });

  it('keeps names with spaces and letters of any script', () => {
    const source = sourcePath(
      'file:///w/.claude/skills/a',
      'file:///w/my%20skills/%C3%A4%3A%20b%23.skill.md',
      undefined,
    );
    assert.equal(source, '../../../my skills/ä: b#.skill.md');
    assert.equal(read(withOrigin(PLAIN, { ...FROM, source }, new Map()))?.source, source);
  });

  it('contains only the name of the source if the path would name a folder outside the project', () => {
    const home = 'file:///home/ines';
    const pathTo = (folder: string) => sourcePath(folder, 'file:///home/ines/novel/skills/a.skill.md', home);
    assert.equal(pathTo('file:///home/ines/novel/.claude/skills/a'), '../../../skills/a.skill.md');
    assert.equal(pathTo('file:///home/ines/.claude/skills/a'), 'a.skill.md');
    assert.equal(pathTo('file:///tmp/a'), 'a.skill.md');
    assert.equal(sourcePath('file:///d%3A/out/a', 'file:///c%3A/w/skills/a.skill.md', undefined), 'a.skill.md');
    assert.equal(sourcePath('file:///c%3A/out/a', 'file:///c%3A/w/skills/a.skill.md', undefined), 'a.skill.md');
    assert.equal(sourcePath('memfs:/w/out/a', 'memfs:/w/s/a.skill.md', undefined), '../../s/a.skill.md');
    assert.equal(sourcePath('vfs://git/w/out/a', 'vfs://hub/w/s/a.skill.md', undefined), 'a.skill.md');
    assert.equal(sourcePath('file:///c%3A/w/out/a', 'file:///c%3A/w/s/a.skill.md', undefined), '../../s/a.skill.md');
  });
});
