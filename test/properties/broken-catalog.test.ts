/** While a catalog is being typed, a temporary syntax error in it causes no errors in skills. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scaled, stride } from '../random.ts';
import { fileAt, findingsAt, open, ROOT } from './opened.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., operation: READ, scope: "read:page"}
  - {name: write_page, description: Writes a page., operation: WRITE, scope: "write:page"}
scopes: ["read:page", "write:page"]
roles:
  editor: ["read:page", "write:page"]
profiles:
  - {name: anna, role: editor}
interrupts:
  - {name: halt-now, node: call_tools, description: Halts.}
effects: [Sweep]
models: [small]
rules:
  unused-tool: off
`;

/** A skill that refers to a name of each kind that a catalog declares. */
const SKILL = `---
name: a
description: Reads a page of the world.
version: 1.0.0
level: 1
input_schema: {page: string}
required_scopes: ["read:page", "write:page"]
allowed_roles: [editor]
tools: [read_page, write_page]
interrupts: [halt-now]
effects: [Sweep]
operation: WRITE
samples:
  one: {profile: anna, parameters: {page: x}}
---

Read with #tool:read_page.

## PromptTemplate: main

\`\`\`yaml artifact
model_variant: small
\`\`\`

{{ page }}
`;

const CATALOG_PATH = 'skills.config.yaml';

/** Unfinished text, such as occurs while an author types. */
const DAMAGES: Readonly<Record<string, (text: string, at: number) => string>> = {
  'a quote that is still open': (text, at) => `${text.slice(0, at)}"${text.slice(at)}`,
  'a list that is still open': (text, at) => `${text.slice(0, at)}[${text.slice(at)}`,
  'a new entry': (text, at) => `${text.slice(0, at)}\n  - {name: ${text.slice(at)}`,
  'a character less': (text, at) => text.slice(0, at) + text.slice(at + 1),
};

describe('an invalid catalog', () => {
  const workspace = open({ [CATALOG_PATH]: CATALOG, 'a.skill.md': SKILL });
  const write = (text: string) => workspace.apply({ kind: 'text', uri: `${ROOT}/${CATALOG_PATH}`, text });
  const said = () => findingsAt(workspace, 'a.skill.md').map(({ rule, severity }) => `${rule} ${severity}`);
  const whole = said();

  for (const [title, damage] of Object.entries(DAMAGES)) {
    it(`causes no error in a skill: ${title}`, () => {
      let broken = 0;
      for (let at = 0; at < CATALOG.length; at += stride(1)) {
        write(damage(CATALOG, at));
        if (!fileAt(workspace, CATALOG_PATH).frontmatter.tree.broken) continue;
        broken++;
        const errors = said().filter((one) => !one.endsWith(' hint'));
        assert.deepEqual(errors, [], damage(CATALOG, at));
      }
      assert.ok(broken >= scaled(20), `${broken} are broken`);
      write(CATALOG);
      assert.deepEqual(said(), whole);
    });
  }

  it('still turns off rules if another line is invalid', () => {
    write(CATALOG.replace('description: Reads', 'description: "Reads'));
    assert.ok(fileAt(workspace, CATALOG_PATH).frontmatter.tree.broken);
    assert.deepEqual(said(), whole);
    write(CATALOG);
  });

  it('is used again as soon as it is valid', () => {
    write(CATALOG.replaceAll('halt-now', 'halt-later').replaceAll('write:page', 'writes:page'));
    const errors = new Set(said().filter((one) => one.endsWith(' error')));
    assert.deepEqual([...errors].sort(), ['unknown-interrupt error', 'unknown-scope error']);
    write(CATALOG);
    assert.deepEqual(said(), whole);
  });
});
