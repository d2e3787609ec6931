import { placesHere } from '../../finding.ts';
import { findValue, isNull, listItems, type YamlScalar } from '../../languages/yaml/node.ts';
import { fileNameOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports an id that several cases of `evals/evals.json` have, because their results are saved under this id. */
export const repeatedEvalId: Rule = {
  name: 'repeated-eval-id',
  severity: 'warning',
  evidence: {
    kind: 'vendor',
    source: 'https://agentskills.io/skill-creation/evaluating-skills',
    checked: '2026-12-01',
  },
  dialects: ['evals'],
  *check(file) {
    if (fileNameOf(file.uri) !== 'evals.json') return;
    const { root } = file.frontmatter.tree;
    const ids = new Map<string, YamlScalar[]>();
    for (const item of listItems(root?.kind === 'list' ? root : findValue(root, 'evals'))) {
      const id = findValue(item, 'id');
      if (id?.kind !== 'scalar' || isNull(id)) continue;
      const same = ids.get(String(id.value));
      if (same) same.push(id);
      else ids.set(String(id.value), [id]);
    }
    for (const [id, [first, second, ...others]] of ids) {
      if (!first || !second) continue;
      yield {
        span: second.span,
        message: `An earlier case has the id \`${id.slice(0, 100)}\`, too. Give each case its own id.`,
        related: placesHere(file, [first, ...others], 'This case has the same id'),
      };
    }
  },
};
