/** Actions in JSON files, which have no comments and no YAML scalars: no action makes valid JSON invalid. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions, convertPackage } from '../../../server/src/features/actions/code-actions.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { permissionActions } from '../../../server/src/features/permission.ts';
import { refactorActions } from '../../../server/src/features/refactor/actions.ts';
import { isJson } from '../../../server/src/languages/yaml/json.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { isJsonDialect } from '../../../server/src/vocabulary/dialect.ts';
import { openCase, openFiles, parsePage } from '../rules/page.ts';

interface Case {
  readonly rule: string;
  readonly workspace: Workspace;
  readonly file: SkillFile;
}

/** The JSON files on the rule pages, each with the page's rule. */
const CASES: readonly Case[] = rules.flatMap((rule) =>
  parsePage(readFileSync(`docs/rules/${rule.name}.md`, 'utf8')).cases.flatMap(({ kind, files }) => {
    if (kind === 'fixed') return [];
    const workspace = openCase(files, rule);
    return [...workspace.analysis.allFiles()].flatMap((file) =>
      isJsonDialect(file.dialect) ? [{ rule: rule.name, workspace, file }] : [],
    );
  }),
);

function actionsOf({ analysis }: Workspace, file: SkillFile) {
  const range = utf16.range(file, { start: 0, end: file.text.length });
  return [
    ...codeActions(analysis, file, range, undefined, utf16),
    ...codeActions(analysis, file, range, ['source.fixAll'], utf16),
    ...permissionActions(analysis, file, range, undefined, utf16, 'disable'),
    ...refactorActions(analysis, file, range, {}, utf16),
    ...convertPackage(file, undefined),
  ];
}

/** The text of the file after an action; the same text if the action changes only other files. */
const textAfter = (file: SkillFile, edit: WorkspaceEdit | undefined): string =>
  applyEdits(
    file.text,
    (edit?.changes?.[file.uri] ?? []).map(({ range, newText }) => ({
      span: { start: utf16.offset(file, range.start), end: utf16.offset(file, range.end) },
      newText,
    })),
  );

describe('in a JSON file', () => {
  it('each rule that checks JSON has a finding on a page', () => {
    const found = new Set(
      CASES.flatMap(({ workspace, file }) => check(file, workspace.analysis).map(({ rule }) => rule)),
    );
    const expected = rules.filter(({ dialects }) => dialects.some(isJsonDialect)).map(({ name }) => name);
    assert.deepEqual(
      expected.filter((name) => !found.has(name)),
      [],
    );
  });

  it('no action makes the JSON invalid or suppresses a finding', () => {
    for (const { rule, workspace, file } of CASES) {
      for (const { title, edit } of actionsOf(workspace, file)) {
        assert.doesNotMatch(title, /^Suppress/, rule);
        if (!isJson(file.text)) continue;
        const after = textAfter(file, edit);
        assert.ok(isJson(after), `"${title}" on the page of ${rule} gives\n${after}`);
      }
    }
  });

  it('completion offers no suppression', () => {
    const [uri, text] = ['file:///w/.claude-plugin/plugin.json', '{\n  # skill\n}\n'];
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri, text });
    const file = workspace.analysis.file(uri);
    assert.ok(file);
    assert.deepEqual(completion(workspace.analysis, file, text.indexOf('\n}'), utf16), []);
  });
});

/** A string that `embedded-secret` reports everywhere in a body; the documentation of AWS uses a similar one. */
const KEY = 'AKIAIOSFODNN7EXAMPL2';

describe('the suppression of a finding', () => {
  const titles = (path: string, content: string): readonly string[] => {
    const workspace = openFiles([{ language: 'skill', path, content, start: 0, end: 0 }]);
    const [file] = workspace.analysis.allFiles();
    assert.ok(file);
    assert.ok(check(file, workspace.analysis).length > 0, 'there is a finding');
    const range = utf16.range(file, { start: 0, end: file.text.length });
    return codeActions(workspace.analysis, file, range, undefined, utf16).map(({ title }) => title);
  };
  const skill = (...body: readonly string[]): string =>
    ['---', 'name: tidy', 'description: Tidies notes. Use it after a meeting.', '---', '', ...body, ''].join('\n');
  const isOffered = (path: string, content: string): boolean =>
    titles(path, content).some((title) => title.startsWith('Suppress'));

  it('is offered in Markdown', () => {
    assert.ok(isOffered('tidy/SKILL.md', skill('Read [the style](style.md).')));
  });

  it('is not offered in indented code, where it would be code', () => {
    assert.ok(!isOffered('tidy/SKILL.md', skill('Run this:', '', `    login ${KEY}`)));
  });

  it('is not offered inside a comment of several lines, which it would close', () => {
    assert.ok(!isOffered('tidy/SKILL.md', skill('Tidy.', '', '<!--', `Log in with ${KEY}.`, '-->')));
  });
});
