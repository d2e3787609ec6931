/** The severity of a finding follows from how the fact about the client is known (docs/verifying-facts.md, "Certainty"). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const uriOf = (path: string): string => `file:///w/${path}`;
const TEXT = '---\nname: moor\ndescription: Moors a boat. Use it when a boat arrives.\n---\n\nMoor it.\n';
const MARKED = `\uFEFF${TEXT}`;

function findingsFor(client: string, text: string, severities = {}, folder = '.claude/skills') {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'text', uri: uriOf('skills.config.yaml'), text: `agent_skills: {clients: [${client}]}\n` });
  workspace.apply({ kind: 'severities', severities });
  const uri = uriOf(`${folder}/moor/SKILL.md`);
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  const { counts } = workspace.analysis.listLosses;
  return { findings: file ? check(file, workspace.analysis) : [], counts };
}

describe('a fact that is known only in part', () => {
  it('causes a hint with the word probably, and no number in the status bar', () => {
    const { findings, counts } = findingsFor('claude-ai', MARKED);
    assert.deepEqual(
      findings.map(({ severity, message }) => [severity, message]),
      [
        [
          'hint',
          'claude.ai (also Skills API) probably does not load this skill. The file begins with a byte order mark. Save the file without it.',
        ],
      ],
    );
    assert.equal(counts?.notListed, 0);
  });

  it('is named in the finding about clients for which the fact is known', () => {
    const { findings, counts } = findingsFor('codex, claude-ai', MARKED, {}, '.agents/skills');
    assert.equal(findings.length, 1);
    assert.equal(findings[0]?.severity, 'error');
    assert.match(
      findings[0]?.message ?? '',
      /^OpenAI Codex does not load .* claude\.ai .* probably does not load this skill\.$/,
    );
    assert.equal(counts?.notListed, 1);
  });

  it('has the severity that an author sets', () => {
    const { findings } = findingsFor('claude-ai', MARKED, { 'agent-skill-not-loaded': 'error' });
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ['error'],
    );
  });
});

describe('a fact whose note says that something is not known', () => {
  it('is partial, not verified, or has no value', () => {
    const wrong: string[] = [];
    for (const folder of ['facts', 'pipeline']) {
      const path = `server/src/clients/${folder}/data`;
      for (const name of readdirSync(path).filter((one) => one.endsWith('.json'))) {
        const visit = (value: unknown, place: string): void => {
          if (typeof value !== 'object' || value === null) return;
          const { note, certainty, value: own } = value as Record<string, unknown>;
          const isUnknown =
            typeof note === 'string' &&
            /\b(?:not known|unknown)$|\b(?:is|are) (?:not known|unknown)\b|\bnot known for\b/.test(note);
          const isEmpty = own === 'unknown' || own === null || own === undefined;
          if (isUnknown && certainty === undefined && !(folder === 'facts' && isEmpty))
            wrong.push(`${name} ${place}: ${note}`);
          for (const [key, inner] of Object.entries(value)) visit(inner, `${place}.${key}`);
        };
        visit(JSON.parse(readFileSync(`${path}/${name}`, 'utf8')), '');
      }
    }
    assert.deepEqual(wrong, []);
  });
});
