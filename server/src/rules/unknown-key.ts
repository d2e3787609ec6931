import { mapsByKeyOffset, type YamlMap } from '../languages/yaml/node.ts';
import { draftOf, keyProblems } from './common/shape-problems.ts';
import type { Rule } from './rule.ts';

export const unknownKey: Rule = {
  name: 'unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    const problems = keyProblems(file, 'unknown-key');
    if (problems.length === 0) return;
    const maps = mapsByKeyOffset(file.frontmatter.tree.root);
    const names = new Map<YamlMap | undefined, ReadonlySet<string>>();
    for (const problem of problems) {
      const map = maps.get(problem.span.start);
      const taken = names.get(map) ?? namesIn(map);
      names.set(map, taken);
      // Renaming a key to an existing key would create a duplicate.
      const fixes = problem.fixes.filter(({ edits }) => edits.every(({ newText }) => !taken.has(newText)));
      const draft = draftOf(file, { ...problem, fixes });
      // A misspelt key is a warning, because the author expects it to have an effect.
      yield problem.fixes.length > 0 ? { ...draft, severity: 'warning' } : draft;
    }
  },
};

const namesIn = (map: YamlMap | undefined): ReadonlySet<string> =>
  new Set(map?.entries.map(({ key }) => String(key.value)));
