/** Every snippet, taken as it comes, gives text that is valid where it belongs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/check.ts';
import snippets from '../../../snippets/skillmd.json' with { type: 'json' };
import { expand } from './expand.ts';

interface Snippet {
  readonly prefix: string | readonly string[];
  readonly description: string;
  readonly body: string | readonly string[];
}

const all: readonly (readonly [string, Snippet])[] = Object.entries(snippets);

const atomic = (name: string) =>
  `---\nname: ${name}\ndescription: ${name}.\nversion: 1.0.0\ninput_schema: {topic: "string?", text: "string?"}\noutput_schema: {answer: string, text: string}\n---\nText.\n`;

const head = `name: draft\ndescription: Drafts. Use it for drafts.\nversion: 1.0.0\n`;
const schemas = 'input_schema: {topic: string}\noutput_schema: {answer: string}\n';
const OTHERS = ['first-skill', 'second-skill'];
const composing = (text: string) =>
  `level: 2\ncomposes: [${OTHERS.filter((name) => text.includes(name)).join(', ')}]\n`;
const skill = (frontmatter: string, body: string) => `---\n${frontmatter}---\nYou draft.\n\n${body}\n`;
const indented = (text: string) => text.replace(/^(?=.)/gm, '  ');

/** The file that a snippet makes, alone or in the smallest file around it. */
function fileOf(name: string, text: string): { readonly path: string; readonly text: string } {
  const path = 'draft.skill.md';
  if (text.startsWith('---')) return { path, text };
  if (name === 'Contract') return { path: 'draft.skill.yaml', text };
  const metadata = /^Metadata of an? (\w+)$/.exec(name);
  if (metadata) {
    const rest = metadata[1] === 'Example' ? '### Input\nHere.\n### Output\nThere.' : 'Text.';
    return { path, text: skill(`${head}${schemas}tools: [read_page]\n`, `## ${metadata[1]}: a\n${text}${rest}`) };
  }
  if (name.startsWith('Assertion')) {
    const fence = `\`\`\`yaml artifact\nassertions:\n${indented(text)}\n\`\`\``;
    return { path, text: skill(head + schemas, `## PromptTemplate: a\n${fence}\nText.`) };
  }
  if (name.startsWith('Template: ')) {
    return { path, text: skill(head + schemas, `## PromptTemplate: Framing\nText.\n## PromptTemplate: a\n${text}`) };
  }
  if (text.startsWith('## ') || text.startsWith('<!--')) return { path, text: skill(head + schemas, text) };
  if (text.startsWith('#')) return { path, text: skill(`${head}${schemas}${text}\nmood: wry\n`, '') };
  // A step may have a condition, so that what it gives need not be there.
  if (text.startsWith('- '))
    return {
      path,
      text: skill(
        `${head}${schemas.replace('answer: string', 'answer: string?')}${composing(text)}execution:\n${indented(text)}\n`,
        '',
      ),
    };
  const key = text.slice(0, text.indexOf(':'));
  const rest = schemas.split('\n').filter((line) => !line.startsWith(`${key}:`));
  const level = { execution: composing(text), requires: composing(text), composes: 'level: 2\n' }[key] ?? '';
  return { path, text: skill(`${head}${rest.join('\n')}${level}${text}\n`, '') };
}

describe('snippets', () => {
  for (const [name, { body }] of all) {
    it(name, () => {
      const made = fileOf(name, expand([body].flat().join('\n'), { TM_FILENAME_BASE: 'draft.skill' }));
      const workspace = new Workspace();
      for (const other of OTHERS) {
        workspace.apply({ kind: 'text', uri: `file:///w/${other}.skill.md`, text: atomic(other) });
      }
      const uri = `file:///w/${made.path}`;
      workspace.apply({ kind: 'text', uri, text: made.text });
      const file = workspace.analysis.file(uri);
      assert.ok(file);
      const found = check(file, workspace.analysis).filter(
        ({ severity }) => severity === 'error' || severity === 'warning',
      );
      assert.deepEqual(
        found.map(({ rule, message }) => `${rule}: ${message}`),
        [],
        made.text,
      );
      assert.deepEqual(
        file.templates.flatMap(({ source }) => source.template.problems),
        [],
        made.text,
      );
    });
  }

  it('are found by prefixes of their own and say what they give', () => {
    for (const [name, { prefix, description }] of all) {
      assert.ok(description.length > 20 && !description.endsWith('.'), name);
      assert.ok(
        [prefix].flat().every((word) => word.trim() === word && word !== ''),
        name,
      );
    }
    const first = all.filter(([name]) => !name.startsWith('Metadata')).map(([, { prefix }]) => [prefix].flat()[0]);
    assert.deepEqual(first, [...new Set(first)]);
  });
});
