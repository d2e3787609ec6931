/** Converts skills to `SKILL.md` files. */
import { strict as assert } from 'node:assert';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Converted } from '../../../server/src/exchange/conversion.ts';
import { convert } from '../../../server/src/exchange/convert.ts';

export function emit(uri: string, text: string, from: Workspace): Converted {
  const made = convert({ uri, text }, 'agent-skill', from.analysis);
  assert.ok('files' in made, JSON.stringify(made));
  return made;
}

export const convertAlone = (text: string, catalog?: string): Converted => {
  const there = new Workspace();
  const uri = 'file:///own/skills/a.skill.md';
  if (catalog !== undefined) there.apply({ kind: 'text', uri: 'file:///own/skills.config.yaml', text: catalog });
  there.apply({ kind: 'text', uri, text });
  return emit(uri, text, there);
};

/** The frontmatter of a skill whose conversion loses only what a test adds. */
export const HEAD = 'name: a\ndescription: It does.\nversion: 1.0.0\ninput_schema: {tone: string?}\n';
