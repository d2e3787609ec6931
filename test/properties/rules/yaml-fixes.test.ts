/** Laws of the fixes of broken YAML: each one ends its finding, and the safe ones together end after one call. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { FixAll } from '../../../server/src/features/actions/fix-all.ts';
import type { Finding, Fix } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits, type TextEdit } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';
import { brokenYaml } from '../broken-yaml.ts';
import { shown } from '../opened.ts';

/** A way to put YAML into a file: as a contract, as frontmatter, as a catalog, or as the metadata of an artifact. */
interface Form {
  readonly path: string;
  wrap(yaml: string): string;
}

const METADATA_HEAD =
  '---\nname: a\ndescription: Says it.\nversion: 1.0.0\ninput_schema: {}\n---\n\nSay it.\n\n## Description: one\n';

const FORMS: readonly Form[] = [
  { path: 'a.skill.yaml', wrap: (yaml) => yaml },
  { path: 'a.skill.md', wrap: (yaml) => `---\n${yaml}---\n\nSay it.\n` },
  { path: 'a/SKILL.md', wrap: (yaml) => `---\n${yaml}---\n\nSay it.\n` },
  { path: 'skills.config.yaml', wrap: (yaml) => yaml },
  { path: 'a.skill.md', wrap: (yaml) => `${METADATA_HEAD}\`\`\`yaml artifact\n${yaml}\`\`\`\n\nText.\n` },
];

const uriOf = (path: string): string => `file:///w/${path}`;

function workspaceOf(path: string, text: string): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: uriOf(path), text });
  return workspace;
}

function findingsOf(path: string, text: string): readonly Finding[] {
  const { analysis } = workspaceOf(path, text);
  const file = analysis.file(uriOf(path));
  return file ? check(file, analysis) : [];
}

/** Returns the text after all safe fixes, as `check --fix` and `skill/fixAll` apply them. */
function fixedAll(path: string, text: string): string {
  const workspace = workspaceOf(path, text);
  const run = new FixAll(workspace, new Set([uriOf(path)]));
  for (let next = run.next(); next !== undefined; next = run.next()) {
    const fixed = run.fix(next);
    if (fixed) run.applyFixed(next, fixed);
  }
  return workspace.index.files.get(uriOf(path))?.text ?? text;
}

const editsOf = ({ edits }: Fix): readonly TextEdit[] => edits.flatMap((file) => file.edits);

/** Returns the offset of `at` after the edits. */
const movedBy = (edits: readonly TextEdit[], at: number): number =>
  edits.reduce((sum, { span, newText }) => (span.end <= at ? sum + newText.length - (span.end - span.start) : sum), at);

const STRUCTURE = /^[ \t]*(?:-[ \t]|["']?[\w.-]+["']?:(?:[ \t]|$))/;

/**
 * Checks that an edit replaces no line below its first line that looks like an entry or a list item. The fix that removes
 * an entry may remove the deeper lines below its key.
 */
function checkLines(text: string, { span, newText }: TextEdit, where: () => string): void {
  const [first = '', ...below] = text
    .slice(span.start, span.end)
    .replace(/^[\r\n]+/, '')
    .split(/\r\n|\n|\r/);
  const columnOf = (line: string): number => line.search(/[^ ]|$/);
  for (const line of below) {
    const isOwn = newText.trim() === '' && columnOf(line) > columnOf(first);
    if (!isOwn) assert.doesNotMatch(line, STRUCTURE, `a safe fix changes other lines: ${where()}`);
  }
}

/** Checks a fix of a finding. `before` are all findings of the text. */
function checkFix(path: string, text: string, before: readonly Finding[], finding: Finding, fix: Fix): void {
  const { rule, span, message } = finding;
  const edits = editsOf(fix);
  const fixed = applyEdits(text, edits);
  const where = () => `"${fix.title}" of ${rule} (${message})\n${shown(text)}\ngives\n${shown(fixed)}`;
  if (fix.safe) for (const edit of edits) checkLines(text, edit, where);
  const starts = new Set([span.start, movedBy(edits, span.start)]);
  const same = (one: Finding): boolean => one.rule === rule && one.message === message;
  const after = findingsOf(path, fixed).filter((one) => one.rule === rule);
  // A later entry with the same duplicate key may have the same finding at the same place.
  const isFewer = after.filter(same).length < before.filter(same).length;
  const again = after.find((one) => starts.has(one.span.start) && one.fixes.some(({ title }) => title === fix.title));
  assert.ok(isFewer || !after.some((one) => same(one) && starts.has(one.span.start)), `still there: ${where()}`);
  assert.ok(isFewer || !again, `offered again: ${where()}`);
}

const YAML_RULES = new Set(['invalid-yaml', 'invalid-artifact-metadata', 'invalid-json']);

const MANIFEST =
  '{"name": "shelf", "owner": {"name": "Ada"},\n  "plugins": [{"name": "a", "source": "./", "skills": ["./a", "./b"]}]}\n';

/** JSON in which a few characters are replaced, inserted or removed. */
const brokenJson: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(fc.nat(MANIFEST.length), fc.nat(2), fc.constantFrom('', ...'"[]{},:#/\'@*\\\t\n', '// x\n', ': ', '\0')),
    { minLength: 1, maxLength: 3 },
  )
  .map((changes) =>
    changes.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), MANIFEST),
  );

describe('broken YAML', () => {
  it('needs only one call of all safe fixes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMS), brokenYaml, fc.boolean(), ({ path, wrap }, yaml, isCrlf) => {
        const text = isCrlf ? wrap(yaml).replaceAll('\n', '\r\n') : wrap(yaml);
        const once = fixedAll(path, text);
        const twice = fixedAll(path, once);
        assert.equal(twice, once, shown(text));
      }),
      cases(1500),
    );
  });

  it('has only fixes that end their finding, and safe fixes keep the lines of others', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMS), brokenYaml, ({ path, wrap }, yaml) => {
        const text = wrap(yaml);
        const findings = findingsOf(path, text);
        for (const finding of findings) {
          const fixes = finding.fixes.filter(({ safe }) => safe || YAML_RULES.has(finding.rule));
          for (const fix of fixes) checkFix(path, text, findings, finding, fix);
        }
      }),
      cases(1500),
    );
  });

  it('is not written into JSON, and each fix of JSON ends its finding', () => {
    fc.assert(
      fc.property(brokenJson, (text) => {
        for (const path of ['.claude-plugin/marketplace.json', 'a.skill.json']) {
          const findings = findingsOf(path, text);
          for (const finding of findings)
            for (const fix of finding.fixes) {
              checkFix(path, text, findings, finding, fix);
              for (const { newText } of editsOf(fix)) assert.doesNotMatch(newText, /^'|^[\w@*&]/, shown(text));
            }
        }
      }),
      cases(1500),
    );
  });
});
