import type { YamlMap } from '../languages/yaml/node.ts';
import { mapsOfKeys } from '../languages/yaml/owner.ts';
import { draftOf, keyProblems } from './common/shape-drafts.ts';
import type { Rule } from './rule.ts';

export const unknownKey: Rule = {
  name: 'unknown-key',
  code: 'unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  readsHeadOnly: true,
  *check(_, document) {
    const problems = keyProblems(document, 'unknown-key');
    if (problems.length === 0) return;
    const maps = mapsOfKeys(document.frontmatter.tree.root);
    const names = new Map<YamlMap | undefined, ReadonlySet<string>>();
    for (const problem of problems) {
      const map = maps.get(problem.span.start);
      const taken = names.get(map) ?? namesIn(map);
      names.set(map, taken);
      // Renaming a key to one that stands there already would only trade this finding for an error.
      const mends = problem.mends.filter(({ edits }) => edits.every(({ newText }) => !taken.has(newText)));
      yield draftOf(document, { ...problem, mends });
    }
  },
};

const namesIn = (map: YamlMap | undefined): ReadonlySet<string> =>
  new Set(map?.entries.map(({ key }) => String(key.value)));
