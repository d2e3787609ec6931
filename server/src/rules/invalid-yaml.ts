import type { Draft, Fix } from '../finding.ts';
import { findSwallowedKeys, type SwallowedKeys } from '../languages/yaml/diagnosis.ts';
import { listed } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf } from '../text.ts';
import { knownAgentSkillKeys } from '../vocabulary/agent-skill-clients.ts';
import { tableOf } from '../vocabulary/tables.ts';
import { fixHere, type Rule } from './rule.ts';

/** The start of a value that may be meant as a list, a map, an anchor, an alias or a tag. */
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

/**
 * Reports a value that contains the next keys, because a line break is missing. The second fix quotes the value, in
 * case the author meant a string with a colon.
 */
function draftOf(file: SkillFile, span: Span, { names, edits }: SwallowedKeys, quotes: readonly Fix[]): Draft {
  const keys = listed(names.map((name) => `\`${name}\``));
  const lines = names.length === 1 ? 'its own line' : 'separate lines';
  return {
    span,
    message: `A line break before ${keys} seems to be missing. Put ${keys} on ${lines}, or put the value in quotes if it is text.`,
    fixes: [...fixHere(file, `Put ${keys} on ${lines}`, edits), ...quotes],
  };
}
