import type { YamlEntry } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import { findClientKeys } from '../vocabulary/agent-skill-lookup.ts';
import { nameOf, readForeignEntries } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/** Keys of single clients. One finding for the file, because such keys are mostly meant. */
export const agentSkillClientKey: Rule = {
  name: 'agent-skill-client-key',
  severity: 'hint',
  evidence: {
    kind: 'vendor',
    source: "the clients' own documents, `server/src/vocabulary/clients/`",
    checked: '2026-11-23',
  },
  dialects: ['agent-skill'],
  *check(file) {
    const { known } = readForeignEntries(file);
    const [first, ...others] = known;
    if (!first) return;
    yield {
      span: first.key.span,
      message: `${sentence(first)} The standard does not have it, and other clients ignore it.`,
      related: others.map((entry) => ({ uri: file.uri, span: entry.key.span, message: sentence(entry) })),
    };
  },
};

const sentence = (entry: YamlEntry): string =>
  `\`${nameOf(entry)}\` is a key of ${listed(findClientKeys(nameOf(entry)).map(({ client }) => client))}.`;
