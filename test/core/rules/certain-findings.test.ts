/** Findings of a frontmatter that is not valid YAML: those that do not change when the YAML is repaired. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Draft } from '../../../server/src/finding.ts';
import { invalidYaml } from '../../../server/src/rules/any-file/invalid-yaml.ts';
import { certainIn } from '../../../server/src/rules/engine/certain-findings.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { findingsOf, rulesOf } from './findings.ts';
import { parsePage, withoutMarkers } from './page.ts';

const PATH = '.claude/skills/tidy-notes/SKILL.md';
const text = (...keys: readonly string[]): string => ['---', ...keys, '---', '', 'Merge the notes.', ''].join('\n');

const certain = rules.filter(({ readsCertainKeys }) => readsCertainKeys);

/** Runs only the rules that read certain keys. Returns each rule with the first line of the text at its finding, without quotes. */
function certainFindings(path: string, written: string): readonly string[] {
  const { file, analysis } = opened(path, written);
  const keep = file.frontmatter.tree.broken ? certainIn(file) : (drafts: Iterable<Draft>) => drafts;
  return certain
    .filter(({ dialects }) => dialects.includes(file.dialect))
    .flatMap((rule) =>
      [...keep(rule.check(file, analysis, rules))].map(({ span: { start, end } }) => {
        const [line = ''] = written.slice(start, end).split('\n');
        return `${rule.name} at ${line.replace(/["']/g, '')}`;
      }),
    );
}

function opened(path: string, written: string) {
  const workspace = new Workspace();
  const uri = `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text: written });
  return { file: workspace.analysis.file(uri) ?? assert.fail(path), analysis: workspace.analysis };
}

/** Returns a text after the first fixes of `invalid-yaml`, until no finding is left. */
function repaired(path: string, broken: string): string | undefined {
  let now = broken;
  for (let rounds = 0; rounds < 5; rounds++) {
    const { file, analysis } = opened(path, now);
    if (!file.frontmatter.tree.broken) return now;
    const [fix] = [...invalidYaml.check(file, analysis, rules)].flatMap(({ fixes = [] }) => fixes);
    if (!fix) return undefined;
    now = applyEdits(
      now,
      fix.edits.flatMap(({ edits }) => edits),
    );
  }
  return undefined;
}

describe('a frontmatter with a defect of YAML', () => {
  it('has the findings about its other keys, too', () => {
    const broken = text('name: Tidy Notes', 'description: Tidies notes: merges them.', 'allowed_tools: Read');
    assert.deepEqual(rulesOf(findingsOf(PATH, broken)).sort(), [
      'agent-skill-name',
      'agent-skill-unknown-key',
      'invalid-yaml',
    ]);
  });

  it('has a finding about a key that is missing only if no line has it', () => {
    const rulesIn = (...keys: readonly string[]) => rulesOf(findingsOf(PATH, text(...keys))).sort();
    assert.deepEqual(rulesIn('name: tidy-notes', 'license: MIT: see below'), [
      'agent-skill-missing-key',
      'invalid-yaml',
    ]);
    assert.deepEqual(rulesIn('name: "tidy-notes', 'description: Tidies notes.'), ['invalid-yaml']);
  });

  it('has no finding about a text whose meaning is not known', () => {
    const broken = text('name: tidy-notes', 'description: Tidies notes.', 'license: [MIT', 'allowed_tools: Read');
    assert.deepEqual(rulesOf(findingsOf(PATH, broken)), ['invalid-yaml']);
  });

  it('has no fix that changes a text with a defect', () => {
    const broken = text('name: tidy-notes', 'description: Tidies notes.', 'colour: red: dark', 'size: big');
    const found = findingsOf(PATH, broken).filter(({ rule }) => rule === 'agent-skill-unknown-key');
    assert.equal(found.length, 1);
    assert.deepEqual(found[0]?.fixes, []);
  });

  it('has no other findings while it has the marks of a merge conflict', () => {
    const broken = text('name: Tidy Notes', '<<<<<<< a', 'license: MIT', '=======', 'license: BSD', '>>>>>>> b');
    assert.deepEqual(rulesOf(findingsOf(PATH, broken)), ['invalid-yaml']);
  });
});

/** Lines that are a defect, and lines that may be one after others. */
const DEFECTS: readonly string[] = [
  'license: MIT: see the file',
  'license: "MIT',
  'license: [MIT',
  'license: @me',
  '\tlicense: MIT',
  'license: MIT\n  indented: yes',
  'a text without a key',
  'license: MIT description: both',
];

describe('a defect of YAML in the files of the rules', () => {
  for (const { name } of certain) {
    const { cases } = parsePage(readFileSync(join('docs', 'rules', `${name}.md`), 'utf8'));
    const files = cases.flatMap(({ files: [file] }) =>
      file && /\.md$/.test(file.path) && /^---\n[\s\S]*?\n---\n/.test(file.content) ? [file] : [],
    );
    it(`hides no certain finding and causes no other one: ${name}`, () => {
      for (const { path, content } of files) {
        const lines = withoutMarkers(content).split('\n');
        const end = lines.indexOf('---', 1);
        if (opened(path, lines.join('\n')).file.frontmatter.tree.broken) continue;
        for (const defect of DEFECTS) {
          for (const at of new Set([Math.min(2, end), end])) {
            const broken = [...lines.slice(0, at), defect, ...lines.slice(at)].join('\n');
            const after = repaired(path, broken);
            if (after === undefined || after === broken) continue;
            const now = new Set(certainFindings(path, after));
            const early = certainFindings(path, broken).filter((one) => !now.has(one));
            assert.deepEqual(early, [], `${path}, ${JSON.stringify(defect)} at line ${at + 1}:\n${broken}`);
          }
        }
      }
    });
  }
});
