import type { Draft, Fix } from '../finding.ts';
import { findSwallowedKeys, type SwallowedKeys } from '../languages/yaml/diagnosis.ts';
import { listed } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf } from '../text.ts';
import { knownAgentSkillKeys } from '../vocabulary/agent-skill-clients.ts';
import { tableOf } from '../vocabulary/tables.ts';
import { fixHere, type Rule } from './rule.ts';

/** Such a value may have been meant as a list, a map, an anchor, an alias or a tag. */
const AMBIGUOUS = /^(?:[[&*!]|\{(?!\{))/;

export const invalidYaml: Rule = {
  name: 'invalid-yaml',
  severity: 'error',
  evidence: { kind: 'spec', source: 'YAML 1.2.2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span, message, fix } of file.frontmatter.tree.problems) {
      if (kind !== 'syntax') continue;
      const swallowed = fix && findSwallowedKeys(file.text, file.frontmatter.tree, span, knownKeys(file));
      const safe = !swallowed && fix?.isGuess !== true && !AMBIGUOUS.test(sliceOf(file.text, span));
      const fixes = fix ? fixHere(file, fix.title, fix.edits, safe) : [];
      yield swallowed ? draftOf(file, span, swallowed, fixes) : { span, message, fixes };
    }
  },
};

const knownKeys = ({ dialect }: SkillFile): Iterable<string> =>
  dialect === 'agent-skill' ? knownAgentSkillKeys() : tableOf(dialect).map(({ name }) => name);

/** The author may have meant a text with a colon, so quotes are offered second. */
function draftOf(file: SkillFile, span: Span, { names, edits }: SwallowedKeys, quotes: readonly Fix[]): Draft {
  const keys = listed(names.map((name) => `\`${name}\``));
  const [stands, its, line] = names.length === 1 ? ['stands', 'its', 'a line'] : ['stand', 'their', 'lines'];
  return {
    span,
    message: `${keys} ${stands} within this value, which ends at a line break that seems to be lost, and YAML cannot read the rest. Put ${keys} on ${line} of ${its} own; if it is text, put the value in quotes.`,
    fixes: [...fixHere(file, `Put ${keys} on ${line} of ${its} own`, edits), ...quotes],
  };
}
