import { fixHere, placesHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, isNull, type YamlEntry } from '../../languages/yaml/node.ts';
import type { Rule } from '../engine/rule.ts';

/** A skill that neither the model nor the user can start. */
export const agentSkillNeverInvoked: Rule = {
  name: 'agent-skill-never-invoked',
  severity: 'warning',
  evidence: {
    kind: 'vendor',
    source: "the clients' own documents, `server/src/clients/facts/data/`",
    checked: '2026-11-30',
  },
  dialects: ['agent-skill'],
  *check(file) {
    const { root } = file.frontmatter.tree;
    const user = findEntry(root, 'user-invocable');
    const model = findEntry(root, 'disable-model-invocation');
    if (root?.kind !== 'map' || !user || !model || !hasValue(user, false) || !hasValue(model, true)) return;
    const [first, last] = user.span.start < model.span.start ? [user, model] : [model, user];
    yield {
      span: last.value.span,
      message:
        'Neither the model nor the user can start this skill, because of `disable-model-invocation: true` and `user-invocable: false`. Remove one of the two.',
      related: placesHere(file, [first.value], 'The other key is here.'),
      fixes: [user, model].flatMap((entry) => {
        const name = String(entry.key.value);
        return fixHere(file, `Remove \`${name}\``, removeEntry(file.text, root, name));
      }),
    };
  },
};

const hasValue = ({ value }: YamlEntry, wanted: boolean): boolean =>
  value.kind === 'scalar' && !isNull(value) && value.value === wanted;
