import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toJson } from '../../../server/src/hosts/reports/json.ts';
import { reportOn } from './report.ts';

it('`check --format json` writes the documented structure', () => {
  const report = reportOn('skills/a.skill.md', '---\nname: 𝒂 ⟦b⟧\n---\n', {
    rule: 'level-violation',
    code: 'E010',
    severity: 'warning',
    related: [
      { uri: 'file:///w/skills/a.skill.md', span: { start: 4, end: 8 }, message: 'here' },
      { uri: 'file:///nowhere', span: { start: 0, end: 0 }, message: 'not read' },
    ],
    fixes: [{ title: 'Fix it', safe: false, edits: [] }],
  });
  assert.deepEqual(JSON.parse(toJson(report)), {
    version: 1,
    findings: [
      {
        file: 'skills/a.skill.md',
        code: 'E010',
        rule: 'level-violation',
        severity: 'warning',
        message: 'There is no tool `reed_page`.',
        range: { start: { line: 1, character: 9 }, end: { line: 1, character: 10 } },
        related: [
          {
            file: 'skills/a.skill.md',
            range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } },
            message: 'here',
          },
        ],
        fixes: [{ title: 'Fix it', safe: false }],
        docs: 'docs/rules/level-violation.md',
      },
    ],
    summary: { files: 1, errors: 0, warnings: 1, infos: 0, hints: 0 },
  });
});
