/** A rule that says it reads heads only (`Rule.readsHeadOnly`) says the same where there is no body to be read. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { rules } from '../../../server/src/rules/index.ts';
import type { Rule } from '../../../server/src/rules/rule.ts';
import { type SkillDocument, unread } from '../../../server/src/skill/document.ts';
import type { WorkspaceIndex } from '../../../server/src/workspace/workspace-index.ts';
import { openFiles, parsePage } from './page.ts';

const OF_BODIES: ReadonlySet<string | symbol> = new Set<keyof SkillDocument>([
  ...(['body', 'metadata', 'examples', 'templates', 'conditions', 'suppressions'] as const),
]);

/** The document with nothing behind its frontmatter, of which nobody may ask for what is made of a body. */
const withoutBody = (document: SkillDocument): SkillDocument =>
  new Proxy(document, {
    get(target, key) {
      assert.ok(!OF_BODIES.has(key), `${String(key)} is read`);
      const { open, bodyStart } = target.frontmatter;
      return key === 'text' && open ? target.text.slice(0, bodyStart) : Reflect.get(target, key);
    },
  });

const draftsOf = (rule: Rule, { documents, ...others }: WorkspaceIndex): unknown[] =>
  [...documents.values()]
    .filter(({ dialect }) => rule.dialects.includes(dialect))
    .map((document) => [...rule.check({ ...others, documents }, document, rules)]);

describe('rules that read heads only', () => {
  const pages = rules
    .map(({ name }) => `docs/rules/${name}.md`)
    .filter((path) => existsSync(path))
    .flatMap((path) => parsePage(readFileSync(path, 'utf8')).cases);
  const workspaces = pages.map(({ files }) => {
    const index = openFiles(files).index();
    // What one rule has read stays for the next.
    const documents = index.documents.map(unread);
    return { whole: { ...index, documents }, hidden: { ...index, documents: documents.map(withoutBody) } };
  });
  for (const rule of rules.filter(({ readsHeadOnly }) => readsHeadOnly)) {
    it(rule.name, () => {
      for (const { whole, hidden } of workspaces) assert.deepEqual(draftsOf(rule, hidden), draftsOf(rule, whole));
    });
  }
});
