import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { writePieces } from '../../../server/src/frontends/cli/console.ts';
import { toJson } from '../../../server/src/reports/json.ts';
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

describe('a long report in pieces', () => {
  it('waits for a slow reader, instead of keeping all pieces in memory', async () => {
    let made = 0;
    const ahead: number[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write(_, __, done) {
        ahead.push(made - ahead.length);
        setImmediate(done);
      },
    });
    const pieces = function* () {
      while (made < 1000) yield `${++made}\n`;
    };
    await writePieces(slow, pieces());
    assert.equal(ahead.length, 1000);
    assert.ok(Math.max(...ahead) < 50, `${Math.max(...ahead)} pieces were made before they were written`);
    assert.ok(slow.writable);
  });

  it('ends when the reader has gone', async () => {
    let made = 0;
    const closing = new Writable({ write: (_, __, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })) });
    closing.on('error', () => {});
    const endless = function* () {
      for (;;) yield `${++made}\n`;
    };
    await writePieces(closing, endless());
    assert.ok(made < 50);
  });
});
